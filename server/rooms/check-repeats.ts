/**
 * Compares an edit that repeats known text with the text itself (A5): a client whose copy differs would receive `saved` and lose its
 * own. The two may be cut differently, so content is compared letter by letter, and neighbours wherever one of them begins. Knows
 * Yjs structs; does not know who wrote them.
 */
import * as Y from 'yjs'
import { strings } from '../../lib/strings/server-refusals.ts'
import { structsOf } from '../../lib/yjs-internals/struct-store.ts'
import { itemOf } from '../../lib/yjs-internals/shared-type.ts'
import type { Clocks } from './check-update.ts'
import type { IntegrationCost } from './integration-cost.ts'
import type { DeleteSet, Struct } from './read-update.ts'
import { RoomRefusal } from './rooms.ts'

type Content = Y.Item['content']

/** A run of one client's clocks; `to` is not part of it. */
interface ClockRange {
  readonly client: number
  readonly from: number
  readonly to: number
}

/**
 * @param doc Holds all that is known.
 * @param structs The edit's structs, in runs of growing clocks; new ones are skipped.
 * @param ds What the edit deletes.
 * @throws {RoomRefusal} `bad-update` if the edit differs from what is known, `too-costly`.
 */
export function checkRepeats(
  doc: Y.Doc,
  knownClocks: Clocks,
  structs: readonly Struct[],
  ds: DeleteSet,
  cost?: IntegrationCost,
): void {
  for (const struct of structs) {
    const { client, clock } = struct.id
    const to = Math.min(clock + struct.length, knownClocks.get(client) ?? 0)
    if (clock < to) checkRange(doc, { client, from: clock, to }, struct, ds, cost)
  }
}

function checkRange(
  doc: Y.Doc,
  { client, from, to }: ClockRange,
  received: Struct,
  ds: DeleteSet,
  cost?: IntegrationCost,
): void {
  const structs = structsOf(doc, client) ?? []
  for (let at = from, index = Y.findIndexSS(structs, from); at < to; index++) {
    cost?.countSteps() // one struct of a few bytes may cover all stored structs
    const stored = structs[index]!
    const end = Math.min(to, stored.id.clock + stored.length)
    if (!isRepeat(doc, { client, from: at, to: end }, received, stored, ds))
      throw new RoomRefusal({ code: 'bad-update', detail: strings.edit.otherContent(client, at) })
    at = end
  }
}

function isRepeat(
  doc: Y.Doc,
  range: ClockRange,
  received: Struct,
  stored: Y.Item | Y.GC | Y.Skip,
  ds: DeleteSet,
): boolean {
  // Deleted content cannot be compared, and cannot be lost.
  if (!(stored instanceof Y.Item) || stored.deleted) return true
  // The edit has it deleted: a repeat only if its delete set says so too, since any writer may delete.
  if (!(received instanceof Y.Item) || received.content instanceof Y.ContentDeleted)
    return coversRange(ds, range)
  return hasSamePlace(doc, range, received, stored) && hasSameContent(range, received, stored)
}

/** Yjs writes ranges in order. With other ranges the search still ends, and `checkUpdate` refuses them afterwards. */
export function coversRange({ clients }: DeleteSet, { client, from, to }: ClockRange): boolean {
  const ranges = clients.get(client) ?? []
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const { clock, len } = ranges[middle]!
    if (clock + len <= from) low = middle + 1
    else high = middle
  }
  let coveredUpTo = from
  for (
    let range = ranges[low];
    coveredUpTo < to && range && range.clock <= coveredUpTo;
    range = ranges[++low]
  )
    coveredUpTo = range.clock + range.len
  return coveredUpTo >= to
}

function hasSamePlace(doc: Y.Doc, { from }: ClockRange, received: Y.Item, stored: Y.Item): boolean {
  if (!Y.compareIDs(originAt(received, from), originAt(stored, from))) return false
  if (!Y.compareIDs(received.rightOrigin, stored.rightOrigin)) return false
  const hasNeighbour = received.origin !== null || received.rightOrigin !== null
  // Yjs names a parent only for an item without neighbours.
  return hasNeighbour || (received.parentSub === stored.parentSub && hasSameParent(doc, received, stored))
}

/** The origin of a run's later letter is the letter before it. */
const originAt = ({ id, origin }: Y.Item, clock: number): Y.ID | null =>
  id.clock === clock ? origin : Y.createID(id.client, clock - 1)

/** The parent of a received item is a name or an id, since it was decoded without a document. */
function hasSameParent(doc: Y.Doc, { parent }: Y.Item, stored: Y.Item): boolean {
  const storedParent = stored.parent as Y.AbstractType<unknown>
  if (typeof parent === 'string') return storedParent === doc.share.get(parent)
  const storedId = itemOf(storedParent)?.id
  return parent instanceof Y.ID && storedId !== undefined && Y.compareIDs(parent, storedId)
}

function hasSameContent(range: ClockRange, received: Y.Item, stored: Y.Item): boolean {
  const [one, other] = [received.content, stored.content]
  if (one.constructor !== other.constructor) return false
  if (one instanceof Y.ContentString && other instanceof Y.ContentString)
    return isSameText(
      one.str.slice(...offsetsWithin(received, range)),
      other.str.slice(...offsetsWithin(stored, range)),
    )
  return hasSameEncoding(
    sliceOf(one, offsetsWithin(received, range)),
    sliceOf(other, offsetsWithin(stored, range)),
  )
}

const offsetsWithin = ({ id }: Y.Item, { from, to }: ClockRange): [start: number, end: number] => [
  from - id.clock,
  to - id.clock,
]

export const REPLACEMENT_CHARACTER = 0xfffd

/** If Yjs cuts a character of two code units, or writes half of one, both halves become replacement characters. */
function isSameText(one: string, other: string): boolean {
  if (one === other) return true
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index++) {
    const [a, b] = [one.charCodeAt(index), other.charCodeAt(index)]
    if (a !== b && !isReplacedSurrogate(a, b) && !isReplacedSurrogate(b, a)) return false
  }
  return true
}

const isReplacedSurrogate = (unit: number, by: number): boolean =>
  by === REPLACEMENT_CHARACTER && isSurrogate(unit)

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

function sliceOf(content: Content, bounds: [start: number, end: number]): Content {
  if (content instanceof Y.ContentAny) return new Y.ContentAny(content.arr.slice(...bounds))
  if (content instanceof Y.ContentJSON) return new Y.ContentJSON(content.arr.slice(...bounds))
  return content // other content has a length of one clock
}

const hasSameEncoding = (one: Content, other: Content): boolean =>
  Buffer.compare(encodeContent(one), encodeContent(other)) === 0

function encodeContent(content: Content): Uint8Array {
  const encoder = new Y.UpdateEncoderV1()
  content.write(encoder, 0)
  return encoder.toUint8Array()
}
