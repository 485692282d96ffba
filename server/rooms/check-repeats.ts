/**
 * Holds an edit that repeats known text against the text itself (A5): who says it in other words would be told "saved" and lose
 * theirs. The two may be cut differently, so content is compared letter by letter, and neighbours wherever one of them begins.
 * Knows Yjs structs; does not know who wrote them.
 */
import * as Y from 'yjs'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Clocks } from './check-update.ts'
import type { IntegrationCost } from './integration-cost.ts'
import type { DeleteSet, Struct } from './read-update.ts'
import { RoomRefusal } from './rooms.ts'

type Content = Y.Item['content']

/** A run of clocks of one client, without its end. */
interface Range {
  readonly client: number
  readonly from: number
  readonly to: number
}

/**
 * @param doc Holds all that is known.
 * @param structs Of the edit, in runs of growing clocks; those that are not known are passed over.
 * @param ds What the edit deletes.
 * @throws {RoomRefusal} `bad-update` where the edit says something else than what is known, `too-costly`.
 */
export function checkRepeats(
  doc: Y.Doc,
  known: Clocks,
  structs: readonly Struct[],
  ds: DeleteSet,
  cost?: IntegrationCost,
): void {
  for (const struct of structs) {
    const { client, clock } = struct.id
    const to = Math.min(clock + struct.length, known.get(client) ?? 0)
    if (clock < to) checkRange(doc, { client, from: clock, to }, struct, ds, cost)
  }
}

function checkRange(
  doc: Y.Doc,
  { client, from, to }: Range,
  said: Struct,
  ds: DeleteSet,
  cost?: IntegrationCost,
): void {
  const structs = doc.store.clients.get(client) ?? []
  for (let at = from, index = Y.findIndexSS(structs, from); at < to; index++) {
    cost?.step() // one struct of a few bytes may stand for all that there are
    const ours = structs[index]!
    const end = Math.min(to, ours.id.clock + ours.length)
    if (!isRepeat(doc, { client, from: at, to: end }, said, ours, ds))
      throw new RoomRefusal({ code: 'bad-update', detail: strings.edit.otherContent(client, at) })
    at = end
  }
}

function isRepeat(
  doc: Y.Doc,
  range: Range,
  said: Struct,
  ours: Y.Item | Y.GC | Y.Skip,
  ds: DeleteSet,
): boolean {
  // What is deleted here nobody can compare, and nobody can lose.
  if (!(ours instanceof Y.Item) || ours.deleted) return true
  // Deleted there: a repeat where the edit says so, too, since a deletion is anybody's right who may write.
  if (!(said instanceof Y.Item) || said.content instanceof Y.ContentDeleted) return deletes(ds, range)
  return hasSamePlace(doc, range, said, ours) && hasSameContent(range, said, ours)
}

/** Yjs writes ranges in order; of others the search ends, too, and `checkUpdate` refuses them behind it. */
function deletes({ clients }: DeleteSet, { client, from, to }: Range): boolean {
  const ranges = clients.get(client) ?? []
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const { clock, len } = ranges[middle]!
    if (clock + len <= from) low = middle + 1
    else high = middle
  }
  let reached = from
  for (let range = ranges[low]; reached < to && range && range.clock <= reached; range = ranges[++low])
    reached = range.clock + range.len
  return reached >= to
}

function hasSamePlace(doc: Y.Doc, { from }: Range, said: Y.Item, ours: Y.Item): boolean {
  if (!Y.compareIDs(originAt(said, from), originAt(ours, from))) return false
  if (!Y.compareIDs(said.rightOrigin, ours.rightOrigin)) return false
  const hasNeighbour = said.origin !== null || said.rightOrigin !== null
  // Yjs names the parent only of what has no neighbour.
  return hasNeighbour || (said.parentSub === ours.parentSub && hasSameParent(doc, said, ours))
}

/** Of a later letter it is the letter before it. */
const originAt = ({ id, origin }: Y.Item, clock: number): Y.ID | null =>
  id.clock === clock ? origin : Y.createID(id.client, clock - 1)

/** Decoded without a document, a parent is a name or an id. */
function hasSameParent(doc: Y.Doc, { parent }: Y.Item, ours: Y.Item): boolean {
  const its = ours.parent as Y.AbstractType<unknown>
  if (typeof parent === 'string') return its === doc.share.get(parent)
  return parent instanceof Y.ID && its._item !== null && Y.compareIDs(parent, its._item.id)
}

function hasSameContent(range: Range, said: Y.Item, ours: Y.Item): boolean {
  const [one, other] = [said.content, ours.content]
  if (one.constructor !== other.constructor) return false
  if (one instanceof Y.ContentString && other instanceof Y.ContentString)
    return isSameText(one.str.slice(...within(said, range)), other.str.slice(...within(ours, range)))
  return isSameEncoded(partOf(one, within(said, range)), partOf(other, within(ours, range)))
}

const within = ({ id }: Y.Item, { from, to }: Range): [start: number, end: number] => [
  from - id.clock,
  to - id.clock,
]

const REPLACEMENT = 0xfffd

/** Where Yjs cuts a letter of two code units in half, or writes half of one down, both halves become replacement characters. */
function isSameText(one: string, other: string): boolean {
  if (one === other) return true
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index++) {
    const [a, b] = [one.charCodeAt(index), other.charCodeAt(index)]
    if (a !== b && !isReplaced(a, b) && !isReplaced(b, a)) return false
  }
  return true
}

const isReplaced = (unit: number, by: number): boolean => by === REPLACEMENT && isHalf(unit)

const isHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

function partOf(content: Content, bounds: [start: number, end: number]): Content {
  if (content instanceof Y.ContentAny) return new Y.ContentAny(content.arr.slice(...bounds))
  if (content instanceof Y.ContentJSON) return new Y.ContentJSON(content.arr.slice(...bounds))
  return content // of one clock alone
}

const isSameEncoded = (one: Content, other: Content): boolean =>
  Buffer.compare(encoded(one), encoded(other)) === 0

function encoded(content: Content): Uint8Array {
  const encoder = new Y.UpdateEncoderV1()
  content.write(encoder, 0)
  return encoder.toUint8Array()
}
