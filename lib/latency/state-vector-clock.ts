import type * as Y from 'yjs'

/** How far a client's structs are in the document, as a state vector has it. */
export function stateVectorClockOf({ store }: Y.Doc, client: number): number {
  const last = store.clients.get(client)?.at(-1)
  return last ? last.id.clock + last.length : 0
}
