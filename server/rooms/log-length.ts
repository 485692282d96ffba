/** The length of a room's log on disk: its last sequence number, and when the log is worth a compaction (D5). */
import type { LoadedPart } from '../store/store.ts'

/** Decoding and checking this many edits takes a millisecond or two, on each load and for each client that gets them. */
const DEFAULT_COMPACT_ENTRIES = 500

export class LogLength {
  #sequence: number
  #entries: number
  readonly #compactEntries: number
  /** The length from which a compaction is due; greater after a failed one. */
  #dueFrom: number
  #hasOnlyOwnEdits = true

  constructor(
    { sequence, logLength }: Pick<LoadedPart, 'sequence' | 'logLength'>,
    compactEntries = DEFAULT_COMPACT_ENTRIES,
  ) {
    this.#sequence = sequence
    this.#entries = logLength
    this.#compactEntries = this.#dueFrom = compactEntries
  }

  /** The last edit on disk that this room knows of. */
  get sequence(): number {
    return this.#sequence
  }

  /** True if only this room has written since its load: other edits would be in the log, and not in the room's Y.Doc. */
  get hasOnlyOwnEdits(): boolean {
    return this.#hasOnlyOwnEdits
  }

  /** A compaction is due after many edits, or after one that brings a whole text. */
  isCompactionDue(isLogLargerThanSnapshot: boolean): boolean {
    const hasFailed = this.#dueFrom > this.#compactEntries
    return this.#entries >= this.#dueFrom || (isLogLargerThanSnapshot && !hasFailed)
  }

  /** @param first The first sequence number of these `count` edits of this room. */
  recordAppend(first: number, count: number): void {
    this.#hasOnlyOwnEdits &&= first === this.#sequence + 1
    this.#sequence = first + count - 1
    this.#entries += count
  }

  /** Returns how many edits are after the snapshot. */
  recordCompaction(sequence: number): number {
    this.#entries = this.#sequence - sequence
    this.#dueFrom = this.#compactEntries
    return this.#entries
  }

  /** A failed compaction is tried again after as many more edits. */
  recordFailedCompaction(): void {
    this.#dueFrom = this.#entries + this.#compactEntries
  }
}
