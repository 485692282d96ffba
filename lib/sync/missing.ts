/** What one replica has and another lacks. */
import * as Y from 'yjs'

/** What waits for text that nobody brought is left out: Yjs would write it down with holes in between. */
export function missingIn(stateVector: Uint8Array, doc: Y.Doc): Uint8Array {
  const { store } = doc
  const { pendingStructs, pendingDs } = store
  Object.assign(store, { pendingStructs: null, pendingDs: null })
  const missing = Y.encodeStateAsUpdate(doc, stateVector)
  Object.assign(store, { pendingStructs, pendingDs })
  return missing
}

/** Whether `doc` has text that `theirs` does not know of. */
export function hasMore({ store }: Y.Doc, theirs: Uint8Array): boolean {
  const known = Y.decodeStateVector(theirs)
  return [...store.clients.keys()].some((client) => Y.getState(store, client) > (known.get(client) ?? 0))
}

/** Whether `theirs` knows of text that `doc` does not have. Deletions show in no state vector. */
export function knowsMore(theirs: Uint8Array, doc: Y.Doc): boolean {
  return [...Y.decodeStateVector(theirs)].some(([client, clock]) => Y.getState(doc.store, client) < clock)
}
