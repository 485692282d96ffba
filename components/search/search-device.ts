/** Searches the documents that this browser holds a copy of, one after the other: there are few. */
import * as Y from 'yjs'
import type { SearchedText } from '@/lib/search/passage.ts'
import { readSearchedText } from '@/lib/search/searched-text.ts'
import { readSearchQuery } from '@/lib/search/search-query.ts'
import { searchText } from '@/lib/search/search-text.ts'
import { runLater } from '@/lib/run-later.ts'
import { browserLocalStore } from '@/lib/sync/local/browser-store.ts'
import type { LocalStore } from '@/lib/sync/local/local-store.ts'
import { rememberedPrincipal } from '@/lib/sync/local/remembered-principal.ts'
import { type DeviceDocument, listDeviceDocuments } from '@/components/documents/device-documents.ts'
import type { SearchResult } from './search-result-type.ts'

/** Texts that were read already, by document and copy: a dialog keeps them as long as it is open. */
export type DeviceTexts = Map<string, SearchedText>

/** In UTF-16 units of text: what is beyond is read anew by each search. */
const MAX_KEPT_LENGTH = 8_000_000

export interface DeviceAnswer {
  /** The latest first. */
  readonly results: SearchResult[]
  /** How many copies could not be read. */
  readonly unread: number
}

/** @param signal Ends it. @throws {BadQuery} with a sentence. */
export async function searchDevice(
  query: string,
  texts: DeviceTexts,
  signal: AbortSignal,
): Promise<DeviceAnswer> {
  const terms = readSearchQuery(query)
  const store = browserLocalStore()
  const results: SearchResult[] = []
  let unread = 0
  for (const copy of store ? await listDeviceDocuments() : []) {
    try {
      const text = await readText(store!, copy, texts, signal)
      const match = searchText(text, terms)
      const { id, copiedAt } = copy
      if (match) results.push({ document: id, title: text.title, owner: null, updatedAt: copiedAt, ...match })
    } catch {
      unread++
    }
    await new Promise<void>((resolve) => void runLater(0, resolve)) // keys have their turn
    signal.throwIfAborted()
  }
  return { results, unread }
}

async function readText(
  store: LocalStore,
  { id, copiedAt }: DeviceDocument,
  texts: DeviceTexts,
  signal: AbortSignal,
): Promise<SearchedText> {
  const key = `${id} ${copiedAt}`
  const known = texts.get(key)
  if (known) return known
  const body = await readDoc(store, id, 'body', signal)
  const text = readSearchedText(body, await readDoc(store, id, 'comments', signal))
  if (lengthOf([...texts.values(), text]) <= MAX_KEPT_LENGTH) texts.set(key, text)
  return text
}

const lengthOf = (texts: readonly SearchedText[]): number =>
  texts.reduce((sum, { passages }) => passages.reduce((length, { text }) => length + text.length, sum), 0)

async function readDoc(
  store: LocalStore,
  document: string,
  part: 'body' | 'comments',
  signal: AbortSignal,
): Promise<Y.Doc> {
  const { copy, rows } = await store.readPart({ document, part }, rememberedPrincipal())
  signal.throwIfAborted()
  const doc = new Y.Doc()
  doc.transact(() => {
    if (copy) Y.applyUpdate(doc, copy.state)
    for (const { update } of rows) Y.applyUpdate(doc, update)
  })
  return doc
}
