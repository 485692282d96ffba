/**
 * Compares an edit that repeats known text with the text itself (A5): a client whose copy differs would receive `saved` and lose its
 * own. The two may be cut differently, so content is compared letter by letter, and neighbours wherever one of them begins. Knows
 * Yjs structs; does not know who wrote them.
 */
import * as Y from 'yjs'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { type StoredStruct, structsOf } from '../../lib/yjs-internals/struct-store.ts'
import { itemOf } from '../../lib/yjs-internals/shared-type.ts'
import type { Clocks } from './clocks.ts'
import { IntegrationCost } from './integration-cost.ts'
import type { DeleteSet, Struct } from './read-update.ts'
import { RoomRefusal } from './rooms.ts'

type Content = Y.Item['content']

/** Comparing with a stored struct takes 80 to 160 ns. */
const STEPS_PER_COMPARED_STRUCT = 2

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
  cost = new IntegrationCost(0),
): void {
  const check = new RepeatCheck(doc, ds, cost)
  for (const struct of structs) {
    const { client, clock } = struct.id
    const to = Math.min(clock + struct.length, knownClocks.get(client) ?? 0)
    if (clock < to) check.checkRange({ client, from: clock, to }, struct)
  }
}

class RepeatCheck {
  readonly #doc: Y.Doc
  readonly #ds: DeleteSet
  readonly #cost: IntegrationCost
  /** Stored texts that were compared with: what was put together of many is copied once, before the first look. */
  readonly #comparedTexts = new Set<StoredStruct>()

  constructor(doc: Y.Doc, ds: DeleteSet, cost: IntegrationCost) {
    this.#doc = doc
    this.#ds = ds
    this.#cost = cost
  }

  checkRange({ client, from, to }: ClockRange, received: Struct): void {
    const structs = structsOf(this.#doc, client) ?? []
    for (let at = from, index = Y.findIndexSS(structs, from); at < to; index++) {
      this.#cost.countSteps(STEPS_PER_COMPARED_STRUCT) // one struct of a few bytes may cover all stored structs
      const stored = structs[index]!
      const end = Math.min(to, stored.id.clock + stored.length)
      if (!this.#isRepeat({ client, from: at, to: end }, received, stored))
        throw new RoomRefusal({
          code: 'bad-update',
          detail: serverRefusalsStrings.edit.otherContent(client, at),
        })
      at = end
    }
  }

  #isRepeat(range: ClockRange, received: Struct, stored: StoredStruct): boolean {
    // Deleted content cannot be compared, and cannot be lost.
    if (!(stored instanceof Y.Item) || stored.deleted) return true
    // The edit has it deleted: a repeat only if its delete set says so too, since any writer may delete.
    if (!(received instanceof Y.Item) || received.content instanceof Y.ContentDeleted)
      return coversRange(this.#ds, range)
    return hasSamePlace(this.#doc, range, received, stored) && this.#hasSameContent(range, received, stored)
  }

  #hasSameContent(range: ClockRange, received: Y.Item, stored: Y.Item): boolean {
    const [one, other] = [received.content, stored.content]
    if (one.constructor !== other.constructor) return false
    if (one instanceof Y.ContentString && other instanceof Y.ContentString) {
      if (!this.#comparedTexts.has(stored)) this.#cost.countLetters(stored.length)
      this.#comparedTexts.add(stored)
      return isSameText(
        one.str.slice(...offsetsWithin(received, range)),
        other.str.slice(...offsetsWithin(stored, range)),
      )
    }
    return this.#hasSameEncoding(
      sliceOf(one, offsetsWithin(received, range)),
      sliceOf(other, offsetsWithin(stored, range)),
    )
  }

  #hasSameEncoding(one: Content, other: Content): boolean {
    const [bytes, otherBytes] = [encodeContent(one), encodeContent(other)]
    this.#cost.countBytes(bytes.length + otherBytes.length) // the stored one may be long, and the received one short
    return Buffer.compare(bytes, otherBytes) === 0
  }
}

/** The ranges are in order and do not overlap: `checkUpdate` sees to it. */
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

function encodeContent(content: Content): Uint8Array {
  const encoder = new Y.UpdateEncoderV1()
  content.write(encoder, 0)
  return encoder.toUint8Array()
}
