/** What two replicas compare at rest (D7): equal digests mean equal state vectors and equal delete sets. */
import * as Y from 'yjs'

/** SHA-256. Taken of the document as it is now, though it resolves later. */
export async function digestOf(doc: Y.Doc): Promise<Uint8Array> {
  // Yjs writes clients in the order of their ids, and deletions in the fewest ranges.
  const snapshot = new Uint8Array(Y.encodeSnapshot(Y.snapshot(doc)))
  return new Uint8Array(await crypto.subtle.digest('SHA-256', snapshot))
}
