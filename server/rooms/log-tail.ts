/**
 * Keeps small updates in one growing buffer: a room keeps them all its life, and an array for each would cost several times their
 * bytes. Long ones are kept as they came: copying each into a buffer twice as large costs more.
 */
import { ownBytes } from './own-bytes.ts'

const FIRST_BYTES = 1024
const LONG_BYTES = 16 * 1024

export class LogTail {
  /** The short updates. */
  #buffer = new Uint8Array(0)
  /** Where each update ends there; a long one takes nothing of it. */
  #ends: number[] = []
  /** The long updates by their indices. */
  readonly #long = new Map<number, Uint8Array>()
  #longBytes = 0
  /** Where each stands in the log; another node's entry may come after later ones of this node. */
  #sequences: number[] = []

  get count(): number {
    return this.#ends.length
  }

  get bytes(): number {
    return this.#end + this.#longBytes
  }

  /** Later calls of `add` do not change them. */
  get updates(): Uint8Array[] {
    return this.#ends.map(
      (end, index) => this.#long.get(index) ?? this.#buffer.subarray(this.#ends[index - 1] ?? 0, end),
    )
  }

  add(update: Uint8Array, sequence: number): void {
    if (update.length < LONG_BYTES) this.#append(update)
    else this.#keep(update)
    this.#sequences.push(sequence)
  }

  /** Drops the updates up to this sequence number. */
  dropThrough(sequence: number): void {
    const kept = this.updates.flatMap((update, index) =>
      this.#sequences[index]! > sequence ? { update, sequence: this.#sequences[index]! } : [],
    )
    const short = kept.filter(({ update }) => update.length < LONG_BYTES)
    this.#buffer = new Uint8Array(short.reduce((sum, { update }) => sum + update.length, 0))
    this.#ends = []
    this.#long.clear()
    this.#longBytes = 0
    this.#sequences = []
    for (const { update, sequence } of kept) this.add(update, sequence)
  }

  get #end(): number {
    return this.#ends.at(-1) ?? 0
  }

  #append(update: Uint8Array): void {
    const end = this.#end + update.length
    if (end > this.#buffer.length) this.#grow(end)
    this.#buffer.set(update, this.#end)
    this.#ends.push(end)
  }

  #keep(update: Uint8Array): void {
    this.#long.set(this.#ends.length, ownBytes(update))
    this.#longBytes += update.length
    this.#ends.push(this.#end)
  }

  #grow(bytes: number): void {
    const before = this.#buffer
    this.#buffer = new Uint8Array(Math.max(FIRST_BYTES, bytes, 2 * before.length))
    this.#buffer.set(before)
  }
}
