/** Writes documents in other formats, one after the other. */
import { crc32, deflateRawSync } from 'node:zlib'
import * as Y from 'yjs'
import { ExportTooLarge } from '../../lib/export/export-limits.ts'
import { exportFileName } from '../../lib/export/export-formats.ts'
import { type ExportSource, readExportSource } from '../../lib/export/export-source.ts'
import { type ExportEntry, type ExportPart, writeEntries } from '../../lib/export/write-entries.ts'
import { type PackedUpdates, unpackUpdates } from '../store/batch.ts'
import { handleJobs } from '../worker-pool.ts'
import { bytesIn, type ExportAnswer, type ExportJob, type WrittenPart } from './export-job.ts'

async function exportDocument({
  format,
  body,
  comments,
  context,
  pictures,
}: ExportJob): Promise<ExportAnswer> {
  const source = readExportSource(docOf(body), comments && docOf(comments), context)
  try {
    const entries = format === 'docx' ? await writeDocxEntry(source, pictures) : writeEntries(source, format)
    const encode = format === 'zip' ? deflateLetters : encodeLetters
    return { entries: entries.map(({ name, parts }) => ({ name, parts: parts.map(encode) })) }
  } catch (error) {
    if (error instanceof ExportTooLarge) return { entries: null }
    throw error
  }
}

/** Its library is loaded by whoever needs it. */
async function writeDocxEntry(source: ExportSource, pictures: ExportJob['pictures']): Promise<ExportEntry[]> {
  const { writeDocx } = await import('../../lib/export/docx/write-docx.ts')
  return [{ name: exportFileName(source.title, 'docx'), parts: [await writeDocx(source, pictures)] }]
}

function docOf(updates: PackedUpdates): Y.Doc {
  const doc = new Y.Doc()
  doc.transact(() => unpackUpdates(updates).forEach((update) => Y.applyUpdate(doc, update)))
  return doc
}

function encodeLetters(part: ExportPart): WrittenPart {
  return typeof part === 'string' ? Uint8Array.from(Buffer.from(part)) : part
}

/** A zip is made where nobody waits for it, as far as it is letters. */
function deflateLetters(part: ExportPart): WrittenPart {
  if (typeof part !== 'string') return part
  const bytes = Buffer.from(part)
  return { deflated: Uint8Array.from(deflateRawSync(bytes)), size: bytes.length, crc: crc32(bytes) }
}

handleJobs(exportDocument, ({ entries }) =>
  (entries ?? []).flatMap(({ parts }) => parts.flatMap((part) => bytesIn(part)?.buffer ?? [])),
)
