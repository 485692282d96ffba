/** Reads files of other programs into documents, one after the other. */
import * as Y from 'yjs'
import { type ImportedDocument, ImportRefused } from '../../lib/import/imported-document.ts'
import { readImport } from '../../lib/import/read-import.ts'
import { writeThreads } from '../../lib/import/write-threads.ts'
import { MAX_DOCUMENT_BYTES } from '../../lib/protocol/limits.ts'
import { strings } from '../../lib/strings/import.ts'
import { writeBlocks } from '../api/write-blocks.ts'
import { writeTitle } from '../store/write-title.ts'
import { handleJobs } from '../worker-pool.ts'
import type { ImportAnswer, ImportJob, ReadDocument } from './import-job.ts'

async function readFile(job: ImportJob): Promise<ImportAnswer> {
  try {
    const { documents, losses } = await readImport(job)
    return { documents: documents.map((document) => build(document, job.name)), losses }
  } catch (error) {
    if (error instanceof ImportRefused) return { refusal: error.message }
    // What a parser of another program's format throws, also where the text is nested too deep for its stack.
    return { refusal: strings.refused.tooHard(job.name) }
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
    throw new ImportRefused(strings.refused.tooManyParts(name))
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
