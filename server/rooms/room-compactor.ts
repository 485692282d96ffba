/** Compacts the logs of rooms, one compaction a room at a time (D5). A room that is closed meanwhile finishes the one under way. */
import type { Logger } from 'pino'
import { compactDocument, type PartSnapshot } from '../store/compaction.ts'
import type { DocumentMerger } from '../store/document-merger.ts'
import type { DocumentStore } from '../store/store.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Room } from './room.ts'

export interface RoomCompactorOptions {
  readonly store: DocumentStore
  readonly merger: DocumentMerger
  readonly tracing: Tracing
  readonly log: Logger
}

export class RoomCompactor {
  readonly #options: RoomCompactorOptions
  readonly #compacting = new WeakSet<Room>()

  constructor(options: RoomCompactorOptions) {
    this.#options = options
  }

  /** @param isRetired Returns true once the room takes no more edits. */
  compactIfDue(room: Room, isRetired: () => boolean): void {
    if (!room.isCompactionDue || this.#compacting.has(room) || isRetired()) return
    const { tracing } = this.#options
    void tracing.detached(() =>
      tracing.span('compaction', { 'diptych.part': room.part }, () => this.#compact(room, isRetired)),
    )
  }

  /** Never rejects. */
  async #compact(room: Room, isRetired: () => boolean): Promise<void> {
    this.#compacting.add(room)
    try {
      let snapshot: PartSnapshot | null
      do {
        snapshot = await this.#compactOnce(room)
        if (snapshot) room.onCompacted(snapshot)
        else room.onCompactionFailed()
      } while (snapshot && room.isCompactionDue && !isRetired()) // the edits that came meanwhile may be as many
    } catch (error) {
      // The document's next room may have written a newer snapshot, and a closed store takes none: no errors once retired.
      const level = isRetired() ? 'debug' : 'error'
      const { document } = room
      this.#options.log[level]({ document, err: error }, 'compaction failed; the log stays as it is')
      room.onCompactionFailed()
    } finally {
      this.#compacting.delete(room)
    }
  }

  async #compactOnce(room: Room): Promise<PartSnapshot | null> {
    const { store, merger } = this.#options
    const { document, part } = room
    const own = room.snapshot()
    if (!own) return compactDocument(store, document, part, merger, () => room.stored)
    await store.compact(document, part, own.state, own.sequence, own.stateVector)
    return own
  }
}
