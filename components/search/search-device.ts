/** Searches the documents that this browser holds a copy of, one after the other: there are few. */
import * as Y from 'yjs'
import { readSearchedText } from '@/lib/search/searched-text.ts'
import { readSearchQuery } from '@/lib/search/search-query.ts'
import { searchText } from '@/lib/search/search-text.ts'
import { runLater } from '@/lib/run-later.ts'
import { browserLocalStore } from '@/lib/sync/local/browser-store.ts'
import type { LocalStore } from '@/lib/sync/local/local-store.ts'
import { rememberedPrincipal } from '@/lib/sync/local/remembered-principal.ts'
import { listDeviceDocuments } from '@/components/documents/device-documents.ts'
import type { SearchResult } from './search-result-type.ts'

/** The latest first. @param signal Ends it. @throws {Error} with a sentence for a query that is too long or holds no word. */
export async function searchDevice(query: string, signal: AbortSignal): Promise<SearchResult[]> {
  const terms = readSearchQuery(query)
  const store = browserLocalStore()
  const found: SearchResult[] = []
  for (const { id, copiedAt } of store ? await listDeviceDocuments() : []) {
    signal.throwIfAborted()
    const [body, comments] = [await readDoc(store!, id, 'body'), await readDoc(store!, id, 'comments')]
    const text = readSearchedText(body, comments)
    const match = searchText(text, terms)
    if (match) found.push({ document: id, title: text.title, owner: null, updatedAt: copiedAt, ...match })
    await new Promise<void>((resolve) => void runLater(0, resolve)) // keys have their turn
  }
  return found
}

async function readDoc(store: LocalStore, document: string, part: 'body' | 'comments'): Promise<Y.Doc> {
  const { copy, rows } = await store.readPart({ document, part }, rememberedPrincipal())
  const doc = new Y.Doc()
  doc.transact(() => {
    if (copy) Y.applyUpdate(doc, copy.state)
    for (const { update } of rows) Y.applyUpdate(doc, update)
  })
  return doc
}
