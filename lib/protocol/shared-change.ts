/**
 * Changes for many readers: each receives the same bytes after a head of its own. So the bytes are encoded once, and stored once
 * until every reader has acknowledged them.
 */
import { CHANGE_KIND } from './channel-messages.ts'
import { createDecoder, hasMoreBytes, numberLength, writeNumberAt, readBytes } from './wire.ts'

/** An encoded message that shares bytes with others. */
export interface SharedMessage {
  readonly length: number
  writeTo(target: Uint8Array, offset: number): void
}

/** Fewer updates than this are sent one by one. */
const MIN_MERGED_UPDATES = 16

/** Accounts for memory: which readers hold these bytes, and how many times. */
export interface SharedByteHolders {
  readonly length: number
  readonly readers: Map<object, number>
}

/** Consecutive updates in one buffer, each after its length. */
class UpdateBuffer {
  readonly count: number
  readonly #bytes: Uint8Array
  /** Where each update begins, its length included, and where the last one ends. */
  readonly #bounds = [0]

  constructor(updates: readonly Uint8Array[]) {
    this.count = updates.length
    let end = 0
    for (const { length } of updates) this.#bounds.push((end += numberLength(length) + length))
    this.#bytes = new Uint8Array(end)
    for (const [index, update] of updates.entries())
      this.#bytes.set(update, writeNumberAt(this.#bytes, this.#bounds[index]!, update.length))
  }

  get length(): number {
    return this.#bytes.length
  }

  /** Returns a view of the updates from `from` to before `to`. */
  viewOf(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(this.#bounds[from], this.#bounds[to])
  }
}

const holdersOf = (...buffers: readonly UpdateBuffer[]): SharedByteHolders => ({
  length: buffers.reduce((sum, { length }) => sum + length, 0),
  readers: new Map(),
})

interface UpdateBuffers {
  readonly singles: UpdateBuffer
  /** The same updates, each `runLength` of them merged into one; the last run may be shorter. */
  readonly runs: UpdateBuffer
  readonly runLength: number
  readonly holders: SharedByteHolders
}

/**
 * The updates of a `change` as the message carries them: how many, then each after its length. Many are merged into about as many
 * runs as a run is long, so that the author of one of a thousand receives 31 runs, and the 31 others of their own run.
 */
export class SharedUpdates {
  readonly length: number
  readonly #buffers: UpdateBuffers
  readonly #pieces: Uint8Array[] = []
  #count = 0

  /** @param merge Merges consecutive updates into one. */
  static of(updates: readonly Uint8Array[], merge?: (run: Uint8Array[]) => Uint8Array): SharedUpdates {
    const singles = new UpdateBuffer(updates)
    if (!merge || updates.length < MIN_MERGED_UPDATES)
      return new SharedUpdates({ singles, runs: singles, runLength: 1, holders: holdersOf(singles) }, [])
    const runLength = Math.ceil(Math.sqrt(updates.length))
    const runs = Array.from({ length: Math.ceil(updates.length / runLength) }, (_, run) =>
      merge(updates.slice(run * runLength, (run + 1) * runLength)),
    )
    const merged = new UpdateBuffer(runs)
    return new SharedUpdates({ singles, runs: merged, runLength, holders: holdersOf(singles, merged) }, [])
  }

  private constructor(buffers: UpdateBuffers, own: readonly number[]) {
    this.#buffers = buffers
    let from = 0
    for (const index of [...own, buffers.singles.count]) {
      this.#addRange(from, index)
      from = index + 1
    }
    this.length = this.#pieces.reduce((sum, { length }) => sum + length, numberLength(this.#count))
  }

  /** The result of `withoutOwn` has the same holders: its readers hold the same bytes. */
  get holders(): SharedByteHolders {
    return this.#buffers.holders
  }

  /** Returns the other updates, for an author of some. @param own The author's indices, ascending. */
  withoutOwn(own: readonly number[]): SharedUpdates {
    return new SharedUpdates(this.#buffers, own)
  }

  /** Adds whole runs, and single updates at either end. */
  #addRange(from: number, to: number): void {
    const { singles, runs, runLength } = this.#buffers
    const firstRun = Math.ceil(from / runLength)
    const endRun = to === singles.count ? runs.count : Math.floor(to / runLength)
    if (firstRun >= endRun) return this.#addPiece(singles, from, to)
    this.#addPiece(singles, from, firstRun * runLength)
    this.#addPiece(runs, firstRun, endRun)
    this.#addPiece(singles, endRun * runLength, to)
  }

  #addPiece(buffer: UpdateBuffer, from: number, to: number): void {
    if (from >= to) return
    this.#pieces.push(buffer.viewOf(from, to))
    this.#count += to - from
  }

  /** Views of the shared bytes. */
  get updates(): Uint8Array[] {
    return this.#pieces.flatMap((piece) => readUpdates(piece))
  }

  writeTo(target: Uint8Array, offset: number): void {
    let at = writeNumberAt(target, offset, this.#count)
    for (const piece of this.#pieces) {
      target.set(piece, at)
      at += piece.length
    }
  }
}

function readUpdates(piece: Uint8Array): Uint8Array[] {
  const updates: Uint8Array[] = []
  const decoder = createDecoder(piece)
  while (hasMoreBytes(decoder)) updates.push(readBytes(decoder))
  return updates
}

/** A `change` that shares its updates with other readers. */
export class SharedChange implements SharedMessage {
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
    let at = writeNumberAt(target, offset, CHANGE_KIND)
    at = writeNumberAt(target, at, this.#number)
    at = writeNumberAt(target, at, this.#channel)
    this.#updates.writeTo(target, at)
  }
}
