/** Under which Yjs client ids the letters of a text stand: each window writes under an id of its own, and Yjs keeps it with each letter. */
import * as Y from 'yjs'
import { firstItemOf, valuesByKeyOf } from '../yjs-internals/shared-type.ts'

/** Letters next to each other that have the same client id. */
export interface ClientRun {
  readonly client: number
  /** In units of Yjs, from the beginning of the text. */
  readonly from: number
  readonly to: number
}

export function clientRunsOf(text: Y.Text): ClientRun[] {
  const runs: ClientRun[] = []
  let at = 0
  for (let item = firstItemOf(text); item; item = item.right) {
    if (item.deleted || !item.countable) continue
    const { client } = item.id
    const last = runs.at(-1)
    if (last?.client === client) runs[runs.length - 1] = { ...last, to: at + item.length }
    else runs.push({ client, from: at, to: at + item.length })
    at += item.length
  }
  return runs
}

/** The clients of what is now in a type and was not in a document with this state vector, formats and attributes among it. */
export function newClientsIn(
  type: Y.XmlElement | Y.XmlText,
  before: ReadonlyMap<number, number>,
  clients = new Set<number>(),
): ReadonlySet<number> {
  const items = [...valuesByKeyOf(type).values()]
  for (let item = firstItemOf(type); item; item = item.right) items.push(item)
  for (const { deleted, id, length, content } of items) {
    if (deleted) continue
    if (id.clock + length > (before.get(id.client) ?? 0)) clients.add(id.client)
    if (content instanceof Y.ContentType) newClientsIn(content.type as Y.XmlElement, before, clients)
  }
  return clients
}
