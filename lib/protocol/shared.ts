/**
 * What is said to many at once: each hears the same bytes behind a head of its own, so they are encoded once, and kept once for as
 * long as anybody has not confirmed them.
 */
import { CHANGE_KIND } from './channel.ts'
import { createDecoder, hasMore, numberLength, putNumber, readBytes } from './wire.ts'

/** An encoded message that shares bytes with others. */
export interface Shared {
  readonly length: number
  writeTo(target: Uint8Array, offset: number): void
}

/** The updates of a `change` as it carries them: how many, then each behind its length. */
export class SharedUpdates {
  readonly length: number
  readonly #count: number
  readonly #pieces: readonly Uint8Array[]
  /** Where each update begins, its length included, and where the last one ends. */
  readonly #bounds: readonly number[]

  static of(updates: readonly Uint8Array[]): SharedUpdates {
    const bounds = [0]
    let end = 0
    for (const { length } of updates) bounds.push((end += numberLength(length) + length))
    const bytes = new Uint8Array(end)
    updates.forEach((update, index) => bytes.set(update, putNumber(bytes, bounds[index]!, update.length)))
    return new SharedUpdates(updates.length, [bytes], bounds)
  }

  private constructor(count: number, pieces: readonly Uint8Array[], bounds: readonly number[]) {
    this.#count = count
    this.#pieces = pieces
    this.#bounds = bounds
    this.length = pieces.reduce((sum, { length }) => sum + length, numberLength(count))
  }

  /** For whoever made some of them, the others; null where none is left. @param own Their indices among all, climbing. */
  without(own: readonly number[]): SharedUpdates | null {
    if (own.length === this.#count) return null
    const [all] = this.#pieces
    const bounds = this.#bounds
    const pieces: Uint8Array[] = []
    let from = 0
    for (const index of [...own, this.#count]) {
      if (index > from) pieces.push(all!.subarray(bounds[from], bounds[index]))
      from = index + 1
    }
    return new SharedUpdates(this.#count - own.length, pieces, bounds)
  }

  /** Views on what is shared. */
  get updates(): Uint8Array[] {
    return this.#pieces.flatMap((piece) => readUpdates(piece))
  }

  writeTo(target: Uint8Array, offset: number): void {
    let at = putNumber(target, offset, this.#count)
    for (const piece of this.#pieces) {
      target.set(piece, at)
      at += piece.length
    }
  }
}

function readUpdates(piece: Uint8Array): Uint8Array[] {
  const updates: Uint8Array[] = []
  const decoder = createDecoder(piece)
  while (hasMore(decoder)) updates.push(readBytes(decoder))
  return updates
}

/** A `change` whose updates others hear as well. */
export class SharedChange implements Shared {
  readonly length: number
  readonly #number: number
  readonly #channel: number
  readonly #updates: SharedUpdates

  constructor(number: number, channel: number, updates: SharedUpdates) {
    this.#number = number
    this.#channel = channel
    this.#updates = updates
    this.length = numberLength(CHANGE_KIND) + numberLength(number) + numberLength(channel) + updates.length
  }

  writeTo(target: Uint8Array, offset: number): void {
    let at = putNumber(target, offset, CHANGE_KIND)
    at = putNumber(target, at, this.#number)
    at = putNumber(target, at, this.#channel)
    this.#updates.writeTo(target, at)
  }
}
