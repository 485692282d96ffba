/** What a room knows of its log on disk: how far it goes, and when what is behind the snapshot is worth a compaction (D5). */
import type { LoadedPart } from '../store/store.ts'

/** To decode and check as many takes a millisecond or two, for whoever loads them and whoever they are sent to. */
const COMPACT_ENTRIES = 500

export class LogLength {
  #sequence: number
  #entries: number
  /** More where it could not be shortened. */
  #longFrom = COMPACT_ENTRIES
  #isOurs = true

  constructor({ sequence, logLength }: Pick<LoadedPart, 'sequence' | 'logLength'>) {
    this.#sequence = sequence
    this.#entries = logLength
  }

  /** Of the last edit on disk, as far as this room has heard. */
  get sequence(): number {
    return this.#sequence
  }

  /** Nobody else has written since it was loaded: their edits would be in the log, and not in this room's document. */
  get hasOnlyOwnEdits(): boolean {
    return this.#isOurs
  }

  /** As many edits are worth a compaction, or one that brings a whole text. @param isLogLargerThanSnapshot More bytes than the snapshot. */
  isCompactionDue(isLogLargerThanSnapshot: boolean): boolean {
    const hasFailed = this.#longFrom > COMPACT_ENTRIES
    return this.#entries >= this.#longFrom || (isLogLargerThanSnapshot && !hasFailed)
  }

  /** @param first Sequence number of the first of so many edits of this room. */
  recordAppend(first: number, count: number): void {
    this.#isOurs &&= first === this.#sequence + 1
    this.#sequence = first + count - 1
    this.#entries += count
  }

  /** Returns how many edits are behind the snapshot. */
  recordCompaction(sequence: number): number {
    this.#entries = this.#sequence - sequence
    this.#longFrom = COMPACT_ENTRIES
    return this.#entries
  }

  /** It is tried again after as many edits more. */
  recordFailedCompaction(): void {
    this.#longFrom = this.#entries + COMPACT_ENTRIES
  }
}
