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

/** Fewer are told one by one. */
const MERGED_FROM = 16

/** For whoever accounts for memory: who keeps these bytes, and how many times. */
export interface Holders {
  readonly length: number
  readonly readers: Map<object, number>
}

/** Updates that follow each other, in one buffer, each behind its length. */
class Row {
  readonly count: number
  readonly #bytes: Uint8Array
  /** Where each begins, its length included, and where the last one ends. */
  readonly #bounds = [0]

  constructor(updates: readonly Uint8Array[]) {
    this.count = updates.length
    let end = 0
    for (const { length } of updates) this.#bounds.push((end += numberLength(length) + length))
    this.#bytes = new Uint8Array(end)
    for (const [index, update] of updates.entries())
      this.#bytes.set(update, putNumber(this.#bytes, this.#bounds[index]!, update.length))
  }

  get length(): number {
    return this.#bytes.length
  }

  /** A view. */
  cut(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(this.#bounds[from], this.#bounds[to])
  }
}

const heldBy = (...rows: readonly Row[]): Holders => ({
  length: rows.reduce((sum, { length }) => sum + length, 0),
  readers: new Map(),
})

interface Rows {
  readonly singles: Row
  /** The same, each `size` of them as one; the last run may be shorter. */
  readonly runs: Row
  readonly size: number
  readonly holders: Holders
}

/**
 * The updates of a `change` as it carries them: how many, then each behind its length. Many are merged in as many runs as a run is
 * long, so that who wrote one of a thousand takes in 31 runs and the 31 others of their own run.
 */
export class SharedUpdates {
  readonly length: number
  readonly #rows: Rows
  readonly #pieces: Uint8Array[] = []
  #count = 0

  /** @param merge Makes one update of some that follow each other. */
  static of(updates: readonly Uint8Array[], merge?: (run: Uint8Array[]) => Uint8Array): SharedUpdates {
    const singles = new Row(updates)
    if (!merge || updates.length < MERGED_FROM)
      return new SharedUpdates({ singles, runs: singles, size: 1, holders: heldBy(singles) }, [])
    const size = Math.ceil(Math.sqrt(updates.length))
    const runs = Array.from({ length: Math.ceil(updates.length / size) }, (_, run) =>
      merge(updates.slice(run * size, (run + 1) * size)),
    )
    const merged = new Row(runs)
    return new SharedUpdates({ singles, runs: merged, size, holders: heldBy(singles, merged) }, [])
  }

  private constructor(rows: Rows, own: readonly number[]) {
    this.#rows = rows
    let from = 0
    for (const index of [...own, rows.singles.count]) {
      this.#tell(from, index)
      from = index + 1
    }
    this.length = this.#pieces.reduce((sum, { length }) => sum + length, numberLength(this.#count))
  }

  /** The same for whoever made some of them: they keep the same bytes. */
  get holders(): Holders {
    return this.#rows.holders
  }

  /** For whoever made some of them, the others; null where none is left. @param own Their indices among all, climbing. */
  without(own: readonly number[]): SharedUpdates | null {
    return own.length === this.#rows.singles.count ? null : new SharedUpdates(this.#rows, own)
  }

  /** Whole runs, and what is left of one at either end. */
  #tell(from: number, to: number): void {
    const { singles, runs, size } = this.#rows
    const firstRun = Math.ceil(from / size)
    const endRun = to === singles.count ? runs.count : Math.floor(to / size)
    if (firstRun >= endRun) return this.#add(singles, from, to)
    this.#add(singles, from, firstRun * size)
    this.#add(runs, firstRun, endRun)
    this.#add(singles, endRun * size, to)
  }

  #add(row: Row, from: number, to: number): void {
    if (from >= to) return
    this.#pieces.push(row.cut(from, to))
    this.#count += to - from
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
