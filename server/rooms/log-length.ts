/**
 * What a room knows of its log on disk: which entries, and when the log is worth a compaction (D5). Another node may append, too: then
 * the room's own entries can be ahead of entries that it has not received yet.
 */
import type { LoadedPart } from '../store/store.ts'

/** Decoding and checking this many edits takes a millisecond or two, on each load and for each client that gets them. */
const DEFAULT_COMPACT_ENTRIES = 500

/** Sequence numbers, both ends included. */
interface SequenceRange {
  readonly first: number
  readonly last: number
}

export class LogLength {
  #sequence: number
  #snapshotEnd: number
  readonly #compactEntries: number
  /** Entries after a gap, in order. */
  #ahead: SequenceRange[] = []
  /** The length from which a compaction is due; greater after a failed one. */
  #dueFrom: number

  constructor(
    { sequence, logLength }: Pick<LoadedPart, 'sequence' | 'logLength'>,
    compactEntries = DEFAULT_COMPACT_ENTRIES,
  ) {
    this.#sequence = sequence
    this.#snapshotEnd = sequence - logLength
    this.#compactEntries = this.#dueFrom = compactEntries
  }

  /** The last entry before the first one that this room does not know. */
  get sequence(): number {
    return this.#sequence
  }

  /** True while the room knows entries, and not all of those before them. */
  get hasGap(): boolean {
    return this.#ahead.length > 0
  }

  /** The last entry that the snapshot contains. */
  get snapshotEnd(): number {
    return this.#snapshotEnd
  }

  /** How many of the known entries are after the snapshot. */
  get #entries(): number {
    const after = (range: SequenceRange): number =>
      Math.max(0, range.last - Math.max(range.first - 1, this.#snapshotEnd))
    return [{ first: 0, last: this.#sequence }, ...this.#ahead].map(after).reduce((a, b) => a + b)
  }

  /** A compaction is due after many edits, or after one that brings a whole text. */
  isCompactionDue(isLogLargerThanSnapshot: boolean): boolean {
    const hasFailed = this.#dueFrom > this.#compactEntries
    return this.#entries >= this.#dueFrom || (isLogLargerThanSnapshot && !hasFailed)
  }

  knows(sequence: number): boolean {
    return (
      sequence <= this.#sequence ||
      this.#ahead.some(({ first, last }) => first <= sequence && sequence <= last)
    )
  }

  /** @param first The sequence number of the first of these `count` entries, none of which was known. */
  record(first: number, count: number): void {
    this.#ahead.push({ first, last: first + count - 1 })
    if (first === this.#sequence + 1) this.#closeGaps()
  }

  #closeGaps(): void {
    const ranges = this.#ahead.toSorted((a, b) => a.first - b.first)
    this.#ahead = ranges.filter(({ first, last }) => {
      if (first !== this.#sequence + 1) return true
      this.#sequence = last
      return false
    })
  }

  /** @param sequence The last entry that the new snapshot contains. */
  recordCompaction(sequence: number): void {
    this.#snapshotEnd = sequence
    this.#dueFrom = this.#compactEntries
  }

  /** A failed compaction is tried again after as many more edits. */
  recordFailedCompaction(): void {
    this.#dueFrom = this.#entries + this.#compactEntries
  }
}
