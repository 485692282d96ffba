/** Puts together what the two pages stamped, edit by edit. Knows clocks of Yjs; does not know pages. */
import type { KeyTimes } from '../support/typed-windows.ts'
import type { EditArrival, TypedEdit, ReaderRecord, WriterRecord } from './edit-recorder.ts'

/** @throws {Error} when not every key made one edit, or not every edit arrived. */
export function match(writer: WriterRecord, reader: ReaderRecord): KeyTimes[] {
  const { keys, edits, client } = writer
  if (keys.length !== edits.length)
    throw new Error(`${keys.length} keys made ${edits.length} edits: a key is to be one edit`)
  let from = 0
  return edits.map((edit, index) => {
    from = findArrival(reader.arrivals, client, edit.clock, from)
    return stations(writer.timeOrigin, keys[index]!, edit, reader.timeOrigin, reader.arrivals[from]!)
  })
}

/** An edit's arrival is the first change by which its author got as far as the edit. */
function findArrival(arrivals: readonly EditArrival[], author: number, edit: number, from: number): number {
  for (let at = from; at < arrivals.length; at++)
    if (arrivals[at]!.clocks.some(([client, clock]) => client === author && clock >= edit)) return at
  throw new Error(`the edit up to clock ${edit} did not arrive`)
}

const stations = (
  there: number,
  key: number,
  { edited, sent, answered }: TypedEdit,
  here: number,
  { applied, rendered, painted }: EditArrival,
): KeyTimes => ({
  key: there + key,
  edited: there + edited,
  sent: there + sent,
  answered: there + answered,
  applied: here + applied,
  rendered: here + rendered,
  painted: here + painted,
})
