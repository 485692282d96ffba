/** What one replica has and another lacks. */
import * as Y from 'yjs'
import { clientsIn, clockOf, withoutPendingStructs } from '../yjs-internals/struct-store.ts'

/** Leaves out what waits for missing text: Yjs would encode it with holes in between. */
export const encodeMissingUpdate = (stateVector: Uint8Array, doc: Y.Doc): Uint8Array =>
  withoutPendingStructs(doc, () => Y.encodeStateAsUpdate(doc, stateVector))

/**
 * The same without the content of what is deleted, which Undo keeps in the Y.Doc: all others drop it on receipt. It builds the Y.Doc once
 * more.
 */
export function encodeMissingText(stateVector: Uint8Array, doc: Y.Doc): Uint8Array {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, encodeMissingUpdate(Uint8Array.of(0), doc))
  return Y.encodeStateAsUpdate(copy, stateVector)
}

/** Whether `doc` has text that `remoteStateVector` does not include. */
export function isDocAhead(doc: Y.Doc, remoteStateVector: Uint8Array): boolean {
  const remoteClocks = Y.decodeStateVector(remoteStateVector)
  return [...clientsIn(doc)].some((client) => clockOf(doc, client) > (remoteClocks.get(client) ?? 0))
}

/** Whether `remoteStateVector` includes text that `doc` does not have. Deletions show in no state vector. */
export function isStateVectorAhead(remoteStateVector: Uint8Array, doc: Y.Doc): boolean {
  return [...Y.decodeStateVector(remoteStateVector)].some(([client, clock]) => clockOf(doc, client) < clock)
}
