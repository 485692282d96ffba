import type * as Y from 'yjs'

/** How many of a client's structs the document has, as its state vector says. */
export function stateVectorClockOf({ store }: Y.Doc, client: number): number {
  const last = store.clients.get(client)?.at(-1)
  return last ? last.id.clock + last.length : 0
}
