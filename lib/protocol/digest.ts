/** The digest that two replicas compare at rest (D7): equal digests mean equal state vectors and equal delete sets. */
import * as Y from 'yjs'

/** Returns the SHA-256 of the document's state vector and deletions as they are at the call, though the promise resolves later. */
export async function digestOf(doc: Y.Doc): Promise<Uint8Array> {
  // Yjs writes clients in the order of their ids, and deletions in the fewest ranges.
  const snapshot = new Uint8Array(Y.encodeSnapshot(Y.snapshot(doc)))
  return new Uint8Array(await crypto.subtle.digest('SHA-256', snapshot))
}
