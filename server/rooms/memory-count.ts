/** What a text takes in memory, as counts and as bytes. Knows the prices; does not know the encoding. */

/**
 * Bytes of heap, measured once with Node 24 (`--expose-gc`, `heapUsed` before and after `Y.applyUpdate`, 100,000 of each). An item
 * of one letter took 193 to 221, an embed 226; an element, text or map 420 to 460 more; the first value of a key 250 more; an empty
 * object as a value 68, one with a key of its own 187, an empty array 44, an array of one number 198, binary data 118.
 */
export const MEMORY_PRICES = {
  struct: 240,
  type: 440,
  key: 250,
  client: 288,
  /** One place in an array, of which a grown one has some to spare. */
  value: 12,
  float: 16,
  object: 56,
  objectKey: 48,
  array: 32,
  /** An array grows by sixteen places at its first value. */
  filledArray: 152,
  text: 24,
  /** Two for each byte of UTF-8, as one letter beyond Latin doubles all letters of a string. */
  textByte: 2,
  binary: 96,
  /** Yjs appends a text to the one before it as a rope, until somebody reads it. */
  mergedStruct: 32,
} as const

/** What the new part of an update, or a whole text, holds. */
export interface MemoryCount {
  /** Its encoded length. */
  readonly bytes: number
  /** Items, and those that come about where a deletion cuts one in three. Yjs merges most of a text that was typed. */
  readonly structs: number
  /** Bytes of what the structs hold. */
  readonly contentBytes: number
  /** Letters and other clocks that are deleted. */
  readonly deleted: number
}

export const addCounts = (one: MemoryCount, other: MemoryCount): MemoryCount => ({
  bytes: one.bytes + other.bytes,
  structs: one.structs + other.structs,
  contentBytes: one.contentBytes + other.contentBytes,
  deleted: one.deleted + other.deleted,
})

/** For the answer of a worker. */
export const encodeCount = ({ bytes, structs, contentBytes, deleted }: MemoryCount): Uint8Array =>
  new Uint8Array(Float64Array.of(bytes, structs, contentBytes, deleted).buffer)

export function decodeCount(encoded: Uint8Array): MemoryCount {
  const [bytes, structs, contentBytes, deleted] = new Float64Array(encoded.slice().buffer)
  return { bytes: bytes!, structs: structs!, contentBytes: contentBytes!, deleted: deleted! }
}

/** Without what is counted only for a whole text: its clients. */
export const memoryBytesOf = ({ structs, contentBytes }: MemoryCount): number =>
  structs * MEMORY_PRICES.struct + contentBytes
