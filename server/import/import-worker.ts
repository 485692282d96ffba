/** Reads files of other programs into documents, one after the other. */
import * as Y from 'yjs'
import { type ImportedDocument, ImportRefused } from '../../lib/import/imported-document.ts'
import { MAX_INFLATED_BYTES } from '../../lib/import/import-limits.ts'
import { readImport } from '../../lib/import/read-import.ts'
import { newZipBudget } from '../../lib/import/read-zip.ts'
import { writeThreads } from '../../lib/import/write-threads.ts'
import { MAX_DOCUMENT_BYTES } from '../../lib/protocol/limits.ts'
import { importStrings } from '../../lib/strings/import.ts'
import { writeBlocks } from '../api/write-blocks.ts'
import { writeTitle } from '../store/write-title.ts'
import { handleJobs } from '../worker-pool.ts'
import type { ImportAnswer, ImportJob, ReadDocument } from './import-job.ts'

async function readFile(job: ImportJob): Promise<ImportAnswer> {
  const budget = newZipBudget()
  const countInflated = () => MAX_INFLATED_BYTES - Math.max(0, budget.bytes)
  try {
    const { documents, losses } = await readImport(job, budget)
    const built = documents.map((document) => build(document, job.name))
    return { documents: built, losses, inflatedBytes: countInflated() }
  } catch (error) {
    // What a parser of another program's format throws, also where the text is nested too deep for its stack, has no sentence.
    const refusal = error instanceof ImportRefused ? error.message : importStrings.refused.tooHard(job.name)
    return { refusal, inflatedBytes: countInflated() }
  }
}

function build({ title, blocks, threads, files }: ImportedDocument, name: string): ReadDocument {
  const [body, comments] = [new Y.Doc(), new Y.Doc()]
  body.transact(() => {
    writeTitle(body, title)
    writeBlocks(body.getXmlFragment('default'), blocks)
  })
  comments.transact(() => writeThreads(comments, body, threads))
  const state = Y.encodeStateAsUpdate(body) as Uint8Array<ArrayBuffer>
  const update = Y.encodeStateAsUpdate(comments) as Uint8Array<ArrayBuffer>
  if (Math.max(state.length, update.length) > MAX_DOCUMENT_BYTES)
    throw new ImportRefused(importStrings.refused.tooManyParts(name))
  return {
    title,
    files,
    text: { state, stateVector: Y.encodeStateVector(body) as Uint8Array<ArrayBuffer> },
    comments: threads.length > 0 ? update : null,
  }
}

handleJobs(readFile, (answer) => {
  if ('refusal' in answer) return []
  const moved = answer.documents.flatMap(({ text, files }) => [
    text.state.buffer,
    ...files.map(({ bytes }) => bytes.buffer),
  ])
  // Documents of one zip may show the same file.
  return [...new Set(moved)]
})
