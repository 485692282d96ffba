/** What one replica has and another lacks. */
import * as Y from 'yjs'

/** Leaves out what waits for missing text: Yjs would encode it with holes in between. */
export function encodeMissingUpdate(stateVector: Uint8Array, doc: Y.Doc): Uint8Array {
  const { store } = doc
  const { pendingStructs, pendingDs } = store
  Object.assign(store, { pendingStructs: null, pendingDs: null })
  const update = Y.encodeStateAsUpdate(doc, stateVector)
  Object.assign(store, { pendingStructs, pendingDs })
  return update
}

/** Whether `doc` has text that `remoteStateVector` does not include. */
export function isDocAhead({ store }: Y.Doc, remoteStateVector: Uint8Array): boolean {
  const remoteClocks = Y.decodeStateVector(remoteStateVector)
  return [...store.clients.keys()].some(
    (client) => Y.getState(store, client) > (remoteClocks.get(client) ?? 0),
  )
}

/** Whether `remoteStateVector` includes text that `doc` does not have. Deletions show in no state vector. */
export function isStateVectorAhead(remoteStateVector: Uint8Array, doc: Y.Doc): boolean {
  return [...Y.decodeStateVector(remoteStateVector)].some(
    ([client, clock]) => Y.getState(doc.store, client) < clock,
  )
}
