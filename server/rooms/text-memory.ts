/** Keeps the estimate of what one text takes in memory while it is edited. Knows counts; does not know the encoding. */
import { type MemoryCount, MEMORY_PRICES } from './memory-count.ts'

/** How many structs are added before those of the Y.Doc are counted again. */
const MIN_ADDED_STRUCTS = 4096

/** The running estimate for one text: an upper bound, as deleted content counts until the text is measured. */
export class TextMemory {
  #structs: number
  #contentBytes: number
  #addedStructs = 0
  #mergedStructs = 0

  constructor({ structs, contentBytes }: MemoryCount) {
    this.#structs = structs
    this.#contentBytes = contentBytes
  }

  add({ structs, contentBytes }: MemoryCount): void {
    this.#structs += structs
    this.#contentBytes += contentBytes
    this.#addedStructs += structs
  }

  /** The edit was refused after it was counted. */
  remove({ structs, contentBytes }: MemoryCount): void {
    this.#structs = Math.max(0, this.#structs - structs)
    this.#contentBytes -= contentBytes
    this.#addedStructs = MIN_ADDED_STRUCTS // a Y.Doc that was built meanwhile was counted without the edit
  }

  /** The text was measured whole. */
  set({ structs, contentBytes }: MemoryCount): void {
    this.#structs = structs
    this.#contentBytes = contentBytes
    this.#addedStructs = 0
    this.#mergedStructs = 0
  }

  /** A Y.Doc was built of the text. @param structs How many it has. */
  setBuilt(structs: number): void {
    this.#structs = structs
    this.#addedStructs = 0
    this.#mergedStructs = 0
  }

  /** @param countStructs Counts those of the Y.Doc; null if there is none. */
  bytes(clients: number, countStructs: (() => number) | null): number {
    if (countStructs && this.#addedStructs >= MIN_ADDED_STRUCTS) {
      const structs = countStructs()
      this.#mergedStructs += Math.max(0, this.#structs - structs)
      this.#structs = structs
      this.#addedStructs = 0
    }
    const structBytes =
      this.#structs * MEMORY_PRICES.struct + this.#mergedStructs * MEMORY_PRICES.mergedStruct
    return structBytes + this.#contentBytes + clients * MEMORY_PRICES.client
  }
}
