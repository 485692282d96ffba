/** Reads what is searched of a document, one after the other. */
import * as Y from 'yjs'
import type { IndexableText } from '../../lib/search/passage.ts'
import { linkedDocumentsIn } from '../../lib/search/linked-documents.ts'
import { previewOf, readSearchedText } from '../../lib/search/searched-text.ts'
import { type PackedUpdates, unpackUpdates } from '../store/batch.ts'
import { handleJobs } from '../worker-pool.ts'

export interface SearchTextJob {
  readonly body: PackedUpdates
  readonly comments: PackedUpdates
}

function docOf(updates: PackedUpdates): Y.Doc {
  const doc = new Y.Doc()
  doc.transact(() => unpackUpdates(updates).forEach((update) => Y.applyUpdate(doc, update)))
  return doc
}

handleJobs<SearchTextJob, IndexableText>(({ body, comments }) => {
  const text = docOf(body)
  return {
    ...readSearchedText(text, docOf(comments)),
    preview: previewOf(text),
    links: linkedDocumentsIn(text),
  }
})
