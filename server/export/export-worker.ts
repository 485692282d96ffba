/** Writes documents in other formats, one after the other. */
import { crc32, deflateRawSync } from 'node:zlib'
import * as Y from 'yjs'
import { ExportTooLarge } from '../../lib/export/export-limits.ts'
import { isArchive } from '../../lib/export/export-formats.ts'
import { countMissingPictures, type ExportSource, readExportSource } from '../../lib/export/export-source.ts'
import { type ExportEntry, type ExportPart, writeEntries } from '../../lib/export/write-entries.ts'
import { type PackedUpdates, unpackUpdates } from '../store/batch.ts'
import { handleJobs } from '../worker-pool.ts'
import { bytesIn, type ExportAnswer, type ExportJob, type WrittenPart } from './export-job.ts'

async function exportDocument({ format, body, comments, context }: ExportJob): Promise<ExportAnswer> {
  const source = readExportSource(docOf(body), comments && docOf(comments), context)
  try {
    const entries = format === 'docx' ? await writeDocxEntries(source) : writeEntries(source, format)
    const encode = isArchive(format) ? deflateBytes : encodeLetters
    return {
      entries: entries.map(({ name, parts }) => ({ name, parts: parts.map(encode) })),
      missingPictures: countMissingPictures(source),
    }
  } catch (error) {
    if (error instanceof ExportTooLarge) return { entries: null, missingPictures: 0 }
    throw error
  }
}

/** Its library is loaded by whoever needs it. */
async function writeDocxEntries(source: ExportSource): Promise<ExportEntry[]> {
  const { writeDocx } = await import('../../lib/export/docx/write-docx.ts')
  return writeDocx(source)
}

function docOf(updates: PackedUpdates): Y.Doc {
  const doc = new Y.Doc()
  doc.transact(() => unpackUpdates(updates).forEach((update) => Y.applyUpdate(doc, update)))
  return doc
}

const encodeLetters = (part: ExportPart): Exclude<ExportPart, string> =>
  typeof part === 'string' ? Uint8Array.from(Buffer.from(part)) : part

/** A zip is made where nobody waits for it, as far as its bytes are here. */
function deflateBytes(part: ExportPart): WrittenPart {
  const bytes = encodeLetters(part)
  if (!(bytes instanceof Uint8Array)) return bytes
  return { deflated: Uint8Array.from(deflateRawSync(bytes)), size: bytes.length, crc: crc32(bytes) }
}

handleJobs(exportDocument, ({ entries }) =>
  (entries ?? []).flatMap(({ parts }) => parts.flatMap((part) => bytesIn(part)?.buffer ?? [])),
)
