/**
 * Decides whether a room takes an edit, before anything of it is read: by the right to write, the budget of work, the size of the text and
 * the memory it takes. What the edit holds is counted first, and the text is measured where it may not fit. Knows counts and rights; does
 * not know Yjs.
 */
import type { Logger } from 'pino'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { roleAllows } from '../access/principal.ts'
import type { Meter } from '../metering/meter.ts'
import type { CommitQueue } from './commit-queue.ts'
import { countMemoryInSteps } from './count-memory.ts'
import type { MemoryCount } from './memory-count.ts'
import type { RoomMember } from './room-members.ts'
import type { RoomMemory } from './room-memory.ts'
import type { RoomText } from './room-text.ts'
import { RoomRefusal } from './rooms.ts'
import { runAllSteps, runInTurns } from './run-steps.ts'
import type { SizeLimit } from './size-limit.ts'
import type { TextWorkerPool } from './text-worker-pool.ts'

/** A shorter edit is counted and decoded in one go, which takes some 10 ms at most. */
export const LONG_EDIT_BYTES = 64 * 1024

/** An edit as a member sent it. */
export interface ReceivedEdit {
  readonly update: Uint8Array
  readonly number: number
  /** Who wrote under its client ids, where that was not its sender. */
  readonly owners: ReadonlyMap<number, string> | null
  /** Null until it is counted, which comes first. */
  count: MemoryCount | null
  /** Set while memory is reserved for it: ends that. */
  endReservation: (() => void) | null
}

export interface EditAdmissionOptions {
  readonly document: string
  /** The part of the document that work is charged to. */
  readonly partKey: string
  readonly log: Logger
  readonly meter: Pick<Meter, 'admit'>
  /** Measures the text. */
  readonly textWorkers: Pick<TextWorkerPool, 'size'>
  readonly text: RoomText
  readonly size: SizeLimit
  readonly memory: RoomMemory
  readonly queue: Pick<CommitQueue, 'whenSettled'>
}

export class EditAdmission {
  readonly #options: EditAdmissionOptions

  constructor(options: EditAdmissionOptions) {
    this.#options = options
  }

  /**
   * Called before the edit waits and is counted, before it is read, and before it is integrated, since the member may lose its right
   * meanwhile. @throws {RoomRefusal}
   */
  admit({ role, eviction, principal }: RoomMember, edit: ReceivedEdit): void {
    const { meter, partKey, size, memory } = this.#options
    if (eviction) throw new RoomRefusal(eviction)
    if (!roleAllows(role, 'write'))
      throw new RoomRefusal({ code: 'forbidden', detail: serverRefusalsStrings.room.readOnly })
    meter.admit(principal, 'edit', partKey)
    if (edit.count) size.check(edit.count)
    if (edit.endReservation) return
    const endReservation = memory.reserve(principal.id, edit.count)
    if (edit.count) edit.endReservation = endReservation
  }

  /** The edit counts in the text, or was refused. */
  endReservation(edit: ReceivedEdit): void {
    edit.endReservation?.()
    edit.endReservation = null
  }

  /** Counts the edit before anything of it is built, and measures the text if it may not fit. Returns null when that is done. */
  startMeasuring(edit: ReceivedEdit): Promise<unknown> | null {
    const { text, size } = this.#options
    const { update, count } = edit
    if (count) return size.isMeasureDue(count) ? this.#measureText() : null
    const counting = countMemoryInSteps(update, { knownClocks: text.clocks })
    if (update.length > LONG_EDIT_BYTES) return runInTurns(counting).then((counted) => (edit.count = counted))
    edit.count = runAllSteps(counting)
    return this.startMeasuring(edit)
  }

  /** Never rejects: a text that cannot be measured is as large as the sum of its edits. */
  async #measureText(): Promise<void> {
    const { queue, size, text, textWorkers, document, log } = this.#options
    try {
      await queue.whenSettled()
      size.setMeasured(await textWorkers.size(document, text.stored))
    } catch (error) {
      log.error({ document, err: error }, 'a text could not be measured')
      size.setUnmeasurable()
    }
  }
}
