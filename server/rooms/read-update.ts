/**
 * Decodes an edit as Yjs does (encoding V1), but with limits and pauses: Yjs's own reader takes 40 ms for a megabyte of the smallest
 * structs, and cannot be interrupted. Knows the encoding and the limits; does not know the document.
 */
import { createDecoder, readVarUint } from 'lib0/decoding'
import * as Y from 'yjs'
import {
  MAX_EDIT_CLIENTS,
  MAX_EDIT_DELETIONS,
  MAX_EDIT_RANGES,
  MAX_EDIT_STRUCTS,
  MAX_EDIT_VALUES,
} from '../../lib/protocol/limits.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { ValueDecoder } from './check-values.ts'
import type { IntegrationCost } from './integration-cost.ts'
import { RoomRefusal } from './rooms.ts'
import { KIND, KIND_BITS, STRUCT_FLAG } from './update-encoding.ts'

export type DecodedUpdate = ReturnType<typeof Y.decodeUpdate>
export type Struct = DecodedUpdate['structs'][number]
export type DeleteSet = DecodedUpdate['ds']

/** Holds some 16,000 of the smallest structs, which take some 5 ms. */
const MAX_STEP_BYTES = 32 * 1024

/**
 * The generator pauses after each 32 KiB.
 * @param update A copy in an ArrayBuffer of its own: lib0 trusts lengths, and a false one in a view on Node's pool would read other
 * people's bytes into the document.
 * @throws {RoomRefusal} `bad-update`, `too-large`, `too-costly`
 */
export function* readUpdateInSteps(
  update: Uint8Array,
  cost: IntegrationCost,
): Generator<undefined, DecodedUpdate> {
  const decoder = new LimitedDecoder(update, cost)
  let decoded: DecodedUpdate
  try {
    decoded = { structs: yield* readStructs(decoder), ds: yield* readDeleteSet(decoder) }
  } catch (error) {
    if (error instanceof RoomRefusal) throw error
    throw refusal(serverRefusalsStrings.edit.noUpdate(update.length, String(error)))
  }
  // A V2 update decodes as an empty V1 update with bytes left over.
  const unreadBytes = update.length - decoder.position
  if (unreadBytes !== 0) throw refusal(serverRefusalsStrings.edit.bytesBehind(unreadBytes))
  return decoded
}

/** Refuses what exceeds a limit before all of it is read. */
class LimitedDecoder extends ValueDecoder {
  readonly #cost: IntegrationCost
  #clients = 0
  #structs = 0
  #deletions = 0
  #ranges = 0
  #values = 0
  #pausedAt = 0
  /** True while the struct that is being read stands for deleted content. */
  #isGone = false

  constructor(update: Uint8Array, cost: IntegrationCost) {
    super(createDecoder(update))
    this.#cost = cost
  }

  /** How many bytes the decoder has read. */
  get position(): number {
    return this.restDecoder.pos
  }

  /** True, once a step, when so much was read that other work should have a turn. */
  isPauseDue(): boolean {
    if (this.position - this.#pausedAt < MAX_STEP_BYTES) return false
    this.#pausedAt = this.position
    return true
  }

  readNumber(): number {
    return readVarUint(this.restDecoder)
  }

  override readClient(): number {
    this.#clients += 1
    checkLimit(this.#clients, MAX_EDIT_CLIENTS, serverRefusalsStrings.edit.manyClients)
    return super.readClient()
  }

  override readInfo(): number {
    this.#structs += 1
    checkLimit(this.#structs, MAX_EDIT_STRUCTS, serverRefusalsStrings.edit.manyStructs)
    this.#cost.countRead()
    const info = super.readInfo()
    this.#isGone = (info & KIND_BITS) <= KIND.deleted
    return info
  }

  override readLen(): number {
    const length = super.readLen()
    if (this.#isGone) this.#deletions += length
    checkLimit(this.#deletions, MAX_EDIT_DELETIONS, serverRefusalsStrings.edit.manyDeletions)
    return length
  }

  /** Reads how many values follow, and counts them before any is read. */
  readValueCount(): number {
    const count = this.readLen()
    this.#values += count || 0 // NaN for a number with enough zeros before its end
    checkLimit(this.#values, MAX_EDIT_VALUES, serverRefusalsStrings.edit.manyArrayValues)
    return count
  }

  /** Reads how many ranges of a client follow, and counts the client and them before any is read. */
  readRangeCount(): number {
    const count = this.readNumber()
    this.#ranges += 1 + (count || 0)
    checkLimit(this.#ranges, MAX_EDIT_RANGES, serverRefusalsStrings.edit.manyRanges)
    return count
  }

  override readDsLen(): number {
    this.#cost.countRead()
    return super.readDsLen()
  }
}

function checkLimit(count: number, limit: number, detailOf: (limit: number) => string): void {
  if (count > limit) throw new RoomRefusal({ code: 'too-large', detail: detailOf(limit) })
}

function* readStructs(decoder: LimitedDecoder): Generator<undefined, Struct[]> {
  const structs: Struct[] = []
  for (let runs = decoder.readNumber(); runs > 0; runs--) {
    let left = decoder.readNumber()
    const client = decoder.readClient()
    let clock = decoder.readNumber()
    for (; left > 0; left--) {
      const id = Y.createID(client, clock)
      const info = decoder.readInfo()
      const struct = isOfValues(info)
        ? yield* readItemOfValues(decoder, id, info)
        : readStruct(decoder, id, info)
      structs.push(struct)
      clock += struct.length
      if (decoder.isPauseDue()) yield
    }
  }
  return structs
}

/** True for an item of any number of values, which is read with pauses. */
const isOfValues = (info: number): boolean =>
  (info & KIND_BITS) === KIND.json || (info & KIND_BITS) === KIND.any

function* readItemOfValues(decoder: LimitedDecoder, id: Y.ID, info: number): Generator<undefined, Struct> {
  const place = readPlace(decoder, info)
  const isJson = (info & KIND_BITS) === KIND.json
  const read = isJson ? () => parseJson(decoder.readString()) : () => decoder.readAny()
  const values = yield* readValues(decoder, read)
  return itemOf(id, place, isJson ? new Y.ContentJSON(values) : new Y.ContentAny(values))
}

function readStruct(decoder: LimitedDecoder, id: Y.ID, info: number): Struct {
  if (info === KIND.skip) return new Y.Skip(id, decoder.readNumber())
  const kind = info & KIND_BITS
  if (kind === KIND.collected) return new Y.GC(id, decoder.readLen())
  return itemOf(id, readPlace(decoder, info), readContent(decoder, kind))
}

interface ItemPlace {
  readonly origin: Y.ID | null
  readonly rightOrigin: Y.ID | null
  readonly parent: ReturnType<typeof readParent> | null
  readonly parentSub: string | null
}

function readPlace(decoder: LimitedDecoder, info: number): ItemPlace {
  const origin = info & STRUCT_FLAG.origin ? decoder.readLeftID() : null
  const rightOrigin = info & STRUCT_FLAG.rightOrigin ? decoder.readRightID() : null
  // An item that names a neighbour has the parent of that neighbour.
  const namesParent = origin === null && rightOrigin === null
  const parent = namesParent ? readParent(decoder) : null
  const parentSub = namesParent && info & STRUCT_FLAG.parentSub ? decoder.readString() : null
  return { origin, rightOrigin, parent, parentSub }
}

const itemOf = (id: Y.ID, { origin, rightOrigin, parent, parentSub }: ItemPlace, content: Content): Y.Item =>
  new Y.Item(id, null, origin, null, rightOrigin, parent, parentSub, content)

/** A root is still a name at this point. */
const readParent = (decoder: LimitedDecoder) =>
  decoder.readParentInfo()
    ? (decoder.readString() as unknown as Y.AbstractType<unknown>)
    : decoder.readLeftID()

type Content = Y.Item['content']

function readContent(decoder: LimitedDecoder, kind: number): Content {
  switch (kind) {
    case KIND.deleted:
      return new Y.ContentDeleted(decoder.readLen())
    case KIND.binary:
      return new Y.ContentBinary(decoder.readBuf())
    case KIND.string:
      return new Y.ContentString(decoder.readString())
    case KIND.embed:
      return new Y.ContentEmbed(decoder.readJSON() as object)
    case KIND.format:
      return new Y.ContentFormat(decoder.readKey(), decoder.readJSON() as object)
    case KIND.type:
      return new Y.ContentType(readType(decoder))
    default:
      throw new Error(`content of kind ${kind}`)
  }
}

function* readValues(decoder: LimitedDecoder, read: () => unknown): Generator<undefined, unknown[]> {
  const values: unknown[] = []
  for (let left = decoder.readValueCount(); left > 0; left--) {
    values.push(read())
    if (decoder.isPauseDue()) yield
  }
  return values
}

const parseJson = (text: string): unknown => (text === 'undefined' ? undefined : JSON.parse(text))

type SharedType = Y.ContentType['type']

/** The shared types, in the order of their numbers in Yjs. */
const typeReaders: readonly ((decoder: LimitedDecoder) => SharedType)[] = [
  () => new Y.Array(),
  () => new Y.Map(),
  () => new Y.Text(),
  (decoder) => new Y.XmlElement(decoder.readKey()),
  () => new Y.XmlFragment(),
  (decoder) => new Y.XmlHook(decoder.readKey()),
  () => new Y.XmlText(),
]

function readType(decoder: LimitedDecoder): SharedType {
  const number = decoder.readTypeRef()
  const readSharedType = typeReaders[number]
  if (!readSharedType) throw new Error(`a type numbered ${number}`)
  return readSharedType(decoder)
}

function* readDeleteSet(decoder: LimitedDecoder): Generator<undefined, DeleteSet> {
  const ds = Y.createDeleteSet()
  for (let clients = decoder.readNumber(); clients > 0; clients--) {
    decoder.resetDsCurVal()
    const client = decoder.readNumber()
    let left = decoder.readRangeCount()
    if (left === 0) continue
    const ranges = ds.clients.get(client) ?? []
    ds.clients.set(client, ranges)
    for (; left > 0; left--) {
      ranges.push({ clock: decoder.readDsClock(), len: decoder.readDsLen() })
      if (decoder.isPauseDue()) yield
    }
  }
  return ds
}

const refusal = (detail: string): RoomRefusal => new RoomRefusal({ code: 'bad-update', detail })
