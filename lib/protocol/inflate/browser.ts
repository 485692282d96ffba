/**
 * Inflates (RFC 1951) at once: the browser's own function answers later, but messages keep their order. It is written here because each
 * page loads it, and a library brings ten times as much with it.
 */

/** The numbers of RFC 1951, 3.2.5: the shortest length and distance of each symbol, and how many further bits it has. */
const lengthBases = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258] // prettier-ignore
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const distanceBases = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577] // prettier-ignore
const distanceBits = distanceBases.map((_, symbol) => Math.max(0, (symbol >> 1) - 1))

/** The order in which a block gives the lengths of the codes for its code lengths (3.2.7). */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

const END_OF_BLOCK = 256
const MAX_CODE_BITS = 15

/** @param most The number of bytes it inflates to at most. @throws {RangeError} for more, and for bytes that are not deflated. */
export const inflate = (deflated: Uint8Array, most: number): Uint8Array =>
  new Inflater(deflated, most).inflate()

/** A prefix code as a table: the next bits of the input lead to `symbol << 4 | length of its code`, or to 0 where there is none. */
type CodeTable = Uint16Array

class Inflater {
  readonly #input: Uint8Array
  /** In bits. */
  #position = 0
  readonly #output: Uint8Array
  #length = 0

  constructor(input: Uint8Array, most: number) {
    this.#input = input
    this.#output = new Uint8Array(most)
  }

  inflate(): Uint8Array {
    for (let isLast = false; !isLast;) {
      isLast = this.#readBits(1) === 1
      const type = this.#readBits(2)
      if (type === 0) this.#copyStored()
      else if (type === 1) this.#inflateBlock(fixedLiterals, fixedDistances)
      else if (type === 2) this.#inflateBlock(...this.#readTables())
      else throw malformed()
    }
    return this.#output.subarray(0, this.#length)
  }

  #copyStored(): void {
    this.#position = (this.#position + 7) & ~7
    const length = this.#readBits(16)
    if ((this.#readBits(16) ^ length) !== 0xffff) throw malformed()
    const start = this.#position >> 3
    this.#skipBits(length * 8)
    this.#reserve(length)
    this.#output.set(this.#input.subarray(start, start + length), this.#length)
    this.#length += length
  }

  #inflateBlock(literals: CodeTable, distances: CodeTable): void {
    for (
      let symbol = this.#readSymbol(literals);
      symbol !== END_OF_BLOCK;
      symbol = this.#readSymbol(literals)
    ) {
      if (symbol < END_OF_BLOCK) {
        this.#reserve(1)
        this.#output[this.#length++] = symbol
      } else this.#repeat(this.#readNumber(symbol - END_OF_BLOCK - 1, lengthBases, lengthBits), distances)
    }
  }

  #repeat(length: number, distances: CodeTable): void {
    const distance = this.#readNumber(this.#readSymbol(distances), distanceBases, distanceBits)
    if (distance > this.#length) throw malformed()
    this.#reserve(length)
    // One byte after the other: what is repeated may overlap with its copy.
    for (let left = length; left > 0; left--)
      this.#output[this.#length] = this.#output[this.#length++ - distance]!
  }

  #readTables(): [literals: CodeTable, distances: CodeTable] {
    const literalCount = this.#readBits(5) + 257
    const distanceCount = this.#readBits(5) + 1
    const orderCount = this.#readBits(4) + 4
    const codeLengths = new Uint8Array(lengthOrder.length)
    for (const symbol of lengthOrder.slice(0, orderCount)) codeLengths[symbol] = this.#readBits(3)
    const table = createTable(codeLengths)
    const lengths = new Uint8Array(literalCount + distanceCount)
    for (let at = 0; at < lengths.length;) {
      const symbol = this.#readSymbol(table)
      if (symbol < 16) lengths[at++] = symbol
      else {
        if (symbol === 16 && at === 0) throw malformed()
        const repeated = symbol === 16 ? lengths[at - 1]! : 0
        const count =
          symbol === 16
            ? 3 + this.#readBits(2)
            : symbol === 17
              ? 3 + this.#readBits(3)
              : 11 + this.#readBits(7)
        if (at + count > lengths.length) throw malformed()
        lengths.fill(repeated, at, (at += count))
      }
    }
    return [createTable(lengths.subarray(0, literalCount)), createTable(lengths.subarray(literalCount))]
  }

  #readNumber(symbol: number, bases: readonly number[], bits: readonly number[]): number {
    const base = bases[symbol]
    if (base === undefined) throw malformed()
    return base + this.#readBits(bits[symbol]!)
  }

  #readSymbol(table: CodeTable): number {
    const entry = table[this.#peek() & (table.length - 1)]!
    if (entry === 0) throw malformed()
    this.#skipBits(entry & 15)
    return entry >> 4
  }

  #readBits(count: number): number {
    const bits = this.#peek() & ((1 << count) - 1)
    this.#skipBits(count)
    return bits
  }

  /** At least the next 16 bits, the first of them lowest. There are zeros after the end. */
  #peek(): number {
    const at = this.#position >> 3
    const [a = 0, b = 0, c = 0] = [this.#input[at], this.#input[at + 1], this.#input[at + 2]]
    return (a | (b << 8) | (c << 16)) >> (this.#position & 7)
  }

  #skipBits(count: number): void {
    this.#position += count
    if (this.#position > this.#input.length * 8) throw malformed()
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes > this.#output.length)
      throw new RangeError(`It inflates to more than ${this.#output.length} bytes.`)
  }
}

const malformed = (): RangeError => new RangeError('These bytes are not deflated.')

/** @param lengths In bits, of the code of each symbol; 0 for a symbol without one. Codes follow from them (3.2.2). */
function createTable(lengths: Uint8Array): CodeTable {
  const counts = new Uint16Array(MAX_CODE_BITS + 1)
  for (const length of lengths) if (length > 0) counts[length]!++
  const nextCodes = new Uint32Array(MAX_CODE_BITS + 1)
  for (let bits = 1; bits <= MAX_CODE_BITS; bits++)
    nextCodes[bits] = (nextCodes[bits - 1]! + counts[bits - 1]!) << 1
  const table = new Uint16Array(1 << Math.max(1, ...lengths))
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue
    const code = nextCodes[length]!++
    // More codes than there are of this length.
    if (code >> length > 0) throw malformed()
    for (let at = reverseBits(code, length); at < table.length; at += 1 << length)
      table[at] = (symbol << 4) | length
  }
  return table
}

function reverseBits(code: number, length: number): number {
  let reversed = 0
  for (let bit = 0; bit < length; bit++) reversed = (reversed << 1) | ((code >> bit) & 1)
  return reversed
}

const fixedLiterals = createTable(
  new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280),
)
const fixedDistances = createTable(new Uint8Array(30).fill(5))
