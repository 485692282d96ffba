/** Writes documents in other formats, one after the other. */
import * as Y from 'yjs'
import { ExportTooLarge } from '../../lib/export/export-limits.ts'
import { readExportSource } from '../../lib/export/export-source.ts'
import { type ExportPart, writeEntries } from '../../lib/export/write-entries.ts'
import { type PackedUpdates, unpackUpdates } from '../store/batch.ts'
import { handleJobs } from '../worker-pool.ts'
import type { ExportAnswer, ExportJob } from './export-job.ts'

function exportDocument({ format, body, comments, context }: ExportJob): ExportAnswer {
  const source = readExportSource(docOf(body), comments && docOf(comments), context)
  try {
    const entries = writeEntries(source, format)
    return { entries: entries.map(({ name, parts }) => ({ name, parts: parts.map(encodeLetters) })) }
  } catch (error) {
    if (error instanceof ExportTooLarge) return { entries: null }
    throw error
  }
}

function docOf(updates: PackedUpdates): Y.Doc {
  const doc = new Y.Doc()
  doc.transact(() => unpackUpdates(updates).forEach((update) => Y.applyUpdate(doc, update)))
  return doc
}

const encodeLetters = (part: ExportPart): ExportPart =>
  typeof part === 'string' ? Uint8Array.from(Buffer.from(part)) : part

handleJobs(exportDocument, ({ entries }) =>
  (entries ?? []).flatMap(({ parts }) =>
    parts.flatMap((part) => (part instanceof Uint8Array ? [part.buffer] : [])),
  ),
)
