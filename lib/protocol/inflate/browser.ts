/** Inflates (RFC 1951) at once: the browser's own function answers later, but messages keep their order. */

/** The entry at the next bits of the input is a symbol and, in its lowest 4 bits, how many of these bits stand for it; 0 for none. */
type SymbolTable = Uint16Array

/** What a symbol for a length or distance means: at least `base`, and as much more as the next `extraBits` say. */
interface CodedRange {
  readonly base: number
  readonly extraBits: number
}

const END_OF_BLOCK = 256
const LONGEST_MATCH: CodedRange = { base: 258, extraBits: 0 }

const lengthRanges = [...codedRanges(3, 28, (index) => Math.max(0, (index >> 2) - 1)), LONGEST_MATCH]
const distanceRanges = codedRanges(1, 30, (index) => Math.max(0, (index >> 1) - 1))

const fixedSymbols = createSymbolTable(
  Uint8Array.from({ length: 288 }, (_, symbol) =>
    symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
  ),
)
const fixedDistances = createSymbolTable(new Uint8Array(30).fill(5))

/** A block that brings its own tables has the lengths of their codes coded, too, and names those lengths in this order. */
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** @throws {RangeError} for bytes that are not deflated, or that inflate to more than `most` bytes. */
export function inflate(deflated: Uint8Array, most: number): Uint8Array {
  const input = new BitReader(deflated)
  const output = new Output(most)
  let isLast = false
  while (!isLast) {
    isLast = input.read(1) === 1
    const kind = input.read(2)
    if (kind === 0) output.append(input.readStored())
    else if (kind === 1) inflateBlock(input, output, fixedSymbols, fixedDistances)
    else if (kind === 2) inflateBlock(input, output, ...readTables(input))
    else throw new RangeError('No such kind of block')
  }
  return output.written()
}

function inflateBlock(input: BitReader, output: Output, symbols: SymbolTable, distances: SymbolTable): void {
  for (;;) {
    const symbol = input.readSymbol(symbols)
    if (symbol === END_OF_BLOCK) return
    if (symbol < END_OF_BLOCK) output.appendByte(symbol)
    else {
      const length = input.readRange(lengthRanges[symbol - END_OF_BLOCK - 1])
      output.repeat(length, input.readRange(distanceRanges[input.readSymbol(distances)]))
    }
  }
}

function readTables(input: BitReader): [SymbolTable, SymbolTable] {
  const symbolCount = input.read(5) + 257
  const distanceCount = input.read(5) + 1
  const orderCount = input.read(4) + 4
  const codeLengths = new Uint8Array(codeLengthOrder.length)
  for (const index of codeLengthOrder.slice(0, orderCount)) codeLengths[index] = input.read(3)
  const table = createSymbolTable(codeLengths)
  const lengths = new Uint8Array(symbolCount + distanceCount)
  for (let at = 0; at < lengths.length;) {
    const symbol = input.readSymbol(table)
    if (symbol < 16) lengths[at++] = symbol
    else {
      const repeated = symbol === 16 ? lengths[at - 1] : 0
      const times = symbol === 16 ? input.read(2) + 3 : symbol === 17 ? input.read(3) + 3 : input.read(7) + 11
      if (repeated === undefined || at + times > lengths.length) throw new RangeError('Too many codes')
      lengths.fill(repeated, at, at + times)
      at += times
    }
  }
  return [
    createSymbolTable(lengths.subarray(0, symbolCount)),
    createSymbolTable(lengths.subarray(symbolCount)),
  ]
}

/** Codes of one length follow each other, and longer codes continue where shorter ones ended; their highest bit comes first. */
function createSymbolTable(lengths: Uint8Array): SymbolTable {
  const longest = Math.max(...lengths)
  const table = new Uint16Array(1 << longest)
  let code = 0
  for (let length = 1; length <= longest; length++) {
    for (const [symbol, ownLength] of lengths.entries()) {
      if (ownLength !== length) continue
      for (let at = reverseBits(code++, length); at < table.length; at += 1 << length)
        table[at] = (symbol << 4) | length
    }
    if (code > 1 << length) throw new RangeError('More codes than bits')
    code <<= 1
  }
  return table
}

function reverseBits(bits: number, count: number): number {
  let reversed = 0
  for (let bit = 0; bit < count; bit++) reversed = (reversed << 1) | ((bits >> bit) & 1)
  return reversed
}

function codedRanges(first: number, count: number, extraBitsOf: (index: number) => number): CodedRange[] {
  let base = first
  return Array.from({ length: count }, (_, index) => {
    const range = { base, extraBits: extraBitsOf(index) }
    base += 1 << range.extraBits
    return range
  })
}

class BitReader {
  readonly #bytes: Uint8Array
  /** In bits. */
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Reads up to 16 bits, the lowest first. */
  read(count: number): number {
    const value = this.#peek() & ((1 << count) - 1)
    this.#skip(count)
    return value
  }

  readSymbol(table: SymbolTable): number {
    const entry = table[this.#peek() & (table.length - 1)]!
    if (entry === 0) throw new RangeError('No such code')
    this.#skip(entry & 15)
    return entry >> 4
  }

  readRange(range: CodedRange | undefined): number {
    if (!range) throw new RangeError('No such length or distance')
    return range.base + this.read(range.extraBits)
  }

  /** Bytes that are not compressed: they begin with a whole byte, their length, and its complement. */
  readStored(): Uint8Array {
    this.#skip(-this.#position & 7)
    const length = this.read(16)
    if (this.read(16) !== (length ^ 0xffff)) throw new RangeError('Not the length of stored bytes')
    const start = this.#position >> 3
    this.#skip(length << 3)
    return this.#bytes.subarray(start, start + length)
  }

  #peek(): number {
    const bytes = this.#bytes
    const at = this.#position >> 3
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16)) >>> (this.#position & 7)
  }

  #skip(count: number): void {
    this.#position += count
    if (this.#position > this.#bytes.length << 3) throw new RangeError('The bytes end too early')
  }
}

class Output {
  readonly #bytes: Uint8Array
  #length = 0

  constructor(most: number) {
    this.#bytes = new Uint8Array(most)
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  append(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#extend(bytes.length))
  }

  appendByte(byte: number): void {
    this.#bytes[this.#extend(1)] = byte
  }

  /** Appends bytes that stand `distance` before the end. The last ones may be among those just appended. */
  repeat(length: number, distance: number): void {
    if (distance > this.#length) throw new RangeError('A distance to before the beginning')
    const start = this.#extend(length)
    for (let at = start; at < start + length; at++) this.#bytes[at] = this.#bytes[at - distance]!
  }

  /** Returns where the new bytes start. */
  #extend(count: number): number {
    const start = this.#length
    this.#length += count
    if (this.#length > this.#bytes.length) throw new RangeError('More bytes than expected')
    return start
  }
}
