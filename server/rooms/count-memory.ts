/**
 * Counts what a text or an edit takes in memory by what its bytes hold (encoding V1), before anything of it is built: two bytes of an
 * empty object become 68, and seven bytes of a letter 240. Knows the encoding; checks nothing, and refuses nothing.
 */
import { createDecoder, type Decoder, readVarUint } from 'lib0/decoding'
import { MAX_VALUE_NODES } from '../../lib/protocol/limits.ts'
import type { Clocks } from './clocks.ts'
import { type MemoryCount, MEMORY_PRICES } from './memory-count.ts'
import { runAllSteps } from './run-steps.ts'
import { ANY_KIND, KIND, KIND_BITS, NAMED_TYPES, STRUCT_FLAG } from './update-encoding.ts'

/** Some 1 ms of counting. */
const MAX_STEP_BYTES = 64 * 1024

export interface CountOptions {
  /** Structs before these clocks are left out: a window that attaches again may send text that the server has. */
  readonly knownClocks?: ReadonlyMap<number, number>
  /** True for a text that Yjs encoded whole: its structs are cut already. */
  readonly isSnapshot?: boolean
}

/**
 * Pauses after each 64 KiB. Bytes that are no update are counted up to where they cannot be read: whoever reads them refuses them.
 */
export function* countMemoryInSteps(
  update: Uint8Array,
  { knownClocks, isSnapshot = false }: CountOptions = {},
): Generator<undefined, MemoryCount> {
  const counter = new MemoryCounter(update)
  try {
    yield* counter.countStructs(knownClocks)
    yield* counter.countDeletions(isSnapshot)
  } catch {
    // Not an update.
  }
  return counter.count
}

export const countMemory = (update: Uint8Array, options?: CountOptions): MemoryCount =>
  runAllSteps(countMemoryInSteps(update, options))

export const readExtent = (update: Uint8Array): UpdateExtent => runAllSteps(readExtentInSteps(update))

export interface UpdateExtent {
  readonly count: MemoryCount
  /** The clock after the last struct of each client. */
  readonly clocks: Clocks
}

/** What a checked update brings, read in one go with the same pauses. Throws for bytes that are no update. */
export function* readExtentInSteps(update: Uint8Array): Generator<undefined, UpdateExtent> {
  const counter = new MemoryCounter(update)
  yield* counter.countStructs()
  yield* counter.countDeletions(false)
  return { count: counter.count, clocks: counter.clocks }
}

class MemoryCounter {
  readonly clocks = new Map<number, number>()
  readonly #decoder: Decoder
  #bytes: number
  #structs = 0
  #contentBytes = 0
  #deleted = 0
  /** How many clocks the last struct takes. */
  #length = 0
  #valuesLeft = 0
  /** Those around what is being counted within a value. One list serves all values: a list for each would be more than it counts. */
  readonly #containers: OpenContainer[] = []
  #isJson = false
  #pausedAt = 0

  constructor(update: Uint8Array) {
    this.#decoder = createDecoder(update)
    this.#bytes = update.length
  }

  get count(): MemoryCount {
    return {
      bytes: this.#bytes,
      structs: this.#structs,
      contentBytes: this.#contentBytes,
      deleted: this.#deleted,
    }
  }

  *countStructs(knownClocks?: ReadonlyMap<number, number>): Generator<undefined, void> {
    for (let runs = this.#readNumber(); runs > 0; runs--) {
      let left = this.#readNumber()
      const client = this.#readNumber()
      const knownClock = knownClocks?.get(client) ?? 0
      let clock = this.#readNumber()
      for (; left > 0; left--) {
        const before = this.count
        const start = this.#decoder.pos
        this.#countHead()
        if (this.#isPauseDue()) yield
        for (; this.#valuesLeft > 0; this.#valuesLeft--) {
          this.#countValue()
          if (this.#isPauseDue()) yield
        }
        const isNew = clock >= knownClock
        clock += this.#length
        if (!isNew && clock <= knownClock) this.#leaveOut(before, this.#decoder.pos - start)
      }
      this.clocks.set(client, clock)
    }
  }

  #leaveOut({ structs, contentBytes }: MemoryCount, bytes: number): void {
    this.#bytes -= bytes
    this.#structs = structs
    this.#contentBytes = contentBytes
  }

  *countDeletions(isSnapshot: boolean): Generator<undefined, void> {
    for (let clients = this.#readNumber(); clients > 0; clients--) {
      this.#readNumber() // the client
      for (let ranges = this.#readNumber(); ranges > 0; ranges--) {
        this.#readNumber() // the clock
        this.#deleted += this.#readNumber()
        if (!isSnapshot) this.#structs += 2
        if (this.#isPauseDue()) yield
      }
    }
  }

  /** Counts a struct but the values of its content. */
  #countHead(): void {
    const info = this.#readByte()
    const kind = info & KIND_BITS
    this.#structs += 1
    this.#length = 1
    if (info === KIND.skip || kind === KIND.collected) return this.#readLength()
    const hasOrigin = (info & STRUCT_FLAG.origin) !== 0
    const hasRightOrigin = (info & STRUCT_FLAG.rightOrigin) !== 0
    if (hasOrigin) this.#skipId()
    if (hasRightOrigin) this.#skipId()
    if (!hasOrigin && !hasRightOrigin) this.#countParent((info & STRUCT_FLAG.parentSub) !== 0)
    this.#countContent(kind)
  }

  #countParent(hasKey: boolean): void {
    if (this.#readNumber() === 1) this.#skipText()
    else this.#skipId()
    if (!hasKey) return
    this.#contentBytes += MEMORY_PRICES.key
    this.#countText()
  }

  #countContent(kind: number): void {
    switch (kind) {
      case KIND.deleted:
        return this.#readLength()
      case KIND.json:
      case KIND.any:
        this.#readLength()
        this.#valuesLeft = this.#length
        this.#isJson = kind === KIND.json
        return
      case KIND.binary:
        return this.#countBinary()
      case KIND.string:
        return this.#countLetters()
      case KIND.embed:
        return this.#countJson()
      case KIND.format:
        this.#countText()
        return this.#countJson()
      case KIND.type:
        return this.#countType()
      default:
        throw new Error(`content of kind ${kind}`)
    }
  }

  #countValue(): void {
    if (this.#isJson) this.#countJson()
    else this.#countAny()
  }

  #countType(): void {
    this.#contentBytes += MEMORY_PRICES.type
    if (NAMED_TYPES.has(this.#readNumber())) this.#countText()
  }

  /** Does not recurse: a value may be nested as deep as its bytes allow. */
  #countAny(): void {
    const containers = this.#containers
    let nodes = 0
    do {
      const container = containers.at(-1)
      if (container?.left === 0) {
        containers.pop()
        continue
      }
      if ((nodes += 1) > MAX_VALUE_NODES) throw new Error('a value that is refused')
      if (container) container.left -= 1
      if (container?.hasKeys)
        this.#contentBytes += MEMORY_PRICES.objectKey + MEMORY_PRICES.textByte * this.#skipText()
      const kind = this.#readByte()
      this.#contentBytes += MEMORY_PRICES.value
      if (kind === ANY_KIND.object || kind === ANY_KIND.array) this.#openContainer(kind === ANY_KIND.object)
      else this.#countPrimitive(kind)
    } while (containers.length > 0)
  }

  #openContainer(hasKeys: boolean): void {
    const left = this.#readNumber()
    this.#contentBytes += hasKeys ? MEMORY_PRICES.object : MEMORY_PRICES.array
    if (!hasKeys && left > 0) this.#contentBytes += MEMORY_PRICES.filledArray
    if (left > 0) this.#containers.push({ left, hasKeys })
  }

  #countPrimitive(kind: number): void {
    switch (kind) {
      case ANY_KIND.integer:
        while (this.#readByte() > 127);
        this.#contentBytes += MEMORY_PRICES.float
        return
      case ANY_KIND.float32:
        this.#contentBytes += MEMORY_PRICES.float
        return this.#skip(4)
      case ANY_KIND.float64:
      case ANY_KIND.bigint:
        this.#contentBytes += MEMORY_PRICES.float
        return this.#skip(8)
      case ANY_KIND.string:
        return this.#countText()
      case ANY_KIND.bytes:
        return this.#countBinary()
    }
  }

  #countLetters(): void {
    const bytes = this.#skipText()
    this.#contentBytes += MEMORY_PRICES.textByte * bytes
    const { arr, pos } = this.#decoder
    this.#length = utf16Length(arr, pos - bytes, pos)
  }

  #countText(): void {
    this.#contentBytes += MEMORY_PRICES.text + MEMORY_PRICES.textByte * this.#skipText()
  }

  #countBinary(): void {
    const bytes = this.#readNumber()
    this.#contentBytes += MEMORY_PRICES.binary + bytes
    this.#skip(bytes)
  }

  /** Counts the arrays, objects, keys and values of a JSON text by its punctuation. */
  #countJson(): void {
    const bytes = this.#skipText()
    const end = this.#decoder.pos
    const start = end - bytes
    const { arr } = this.#decoder
    let isInText = false
    for (let at = start; at < end; at++) {
      const letter = arr[at]
      if (letter === BACKSLASH) at += 1
      else if (letter === QUOTE) isInText = !isInText
      else if (!isInText) this.#contentBytes += JSON_PRICE.get(letter!) ?? 0
    }
    this.#contentBytes += MEMORY_PRICES.value + MEMORY_PRICES.textByte * bytes
  }

  #readLength(): void {
    this.#length = this.#readNumber()
  }

  #skipId(): void {
    this.#readNumber()
    this.#readNumber()
  }

  /** Returns how many bytes were skipped. */
  #skipText(): number {
    const bytes = this.#readNumber()
    this.#skip(bytes)
    return bytes
  }

  #readNumber(): number {
    return readVarUint(this.#decoder)
  }

  #readByte(): number {
    const byte = this.#decoder.arr[this.#decoder.pos++]
    if (byte === undefined) throw new Error('the bytes end before it')
    return byte
  }

  #skip(bytes: number): void {
    const decoder = this.#decoder
    if (!(bytes <= decoder.arr.length - decoder.pos)) throw new Error('the bytes end before it')
    decoder.pos += bytes
  }

  #isPauseDue(): boolean {
    if (this.#decoder.pos - this.#pausedAt < MAX_STEP_BYTES) return false
    this.#pausedAt = this.#decoder.pos
    return true
  }
}

interface OpenContainer {
  left: number
  readonly hasKeys: boolean
}

/** Each letter has one byte that continues no other; one of four bytes is two units. */
function utf16Length(bytes: Uint8Array, start: number, end: number): number {
  let units = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
  }
  return units
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const JSON_PRICE = new Map([
  [0x7b, MEMORY_PRICES.object], // {
  [0x5b, MEMORY_PRICES.array], // [, of which the parser makes no larger array than it needs
  [0x3a, MEMORY_PRICES.objectKey + MEMORY_PRICES.text], // :
  [0x2c, MEMORY_PRICES.value + MEMORY_PRICES.float], // ,
])
