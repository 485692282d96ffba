/**
 * Contains what is thrown in a room (A7): a refusal goes to whoever caused it, and anything else is a fault of the room, which is then
 * loaded again. Knows refusals; does not know edits or members.
 */
import type { CloseCode, CloseReason } from '../../lib/protocol/close.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { RoomRefusal } from './rooms.ts'

export const ROOM_RELOADING: CloseReason = {
  code: 'overloaded',
  detail: serverRefusalsStrings.room.loadingAgain,
}

export class RoomFaults {
  readonly #onFault: (cause: unknown) => void
  #isFaulty = false

  /** @param onFault Called for each fault, also if the room is faulty already. */
  constructor(onFault: (cause: unknown) => void) {
    this.#onFault = onFault
  }

  /** If true, the room is to be closed once it is settled, and loaded again. */
  get isFaulty(): boolean {
    return this.#isFaulty
  }

  setFaulty(): void {
    this.#isFaulty = true
  }

  /** @throws {RoomRefusal} if the room is to be loaded again. */
  requireSound(): void {
    if (this.#isFaulty) throw new RoomRefusal(ROOM_RELOADING)
  }

  report(cause: unknown): void {
    this.#onFault(cause)
  }

  /** Whatever `run` throws is the room's fault. @throws {RoomRefusal} Nothing else is thrown. */
  contain<Answer>(run: () => Answer): Answer {
    try {
      return run()
    } catch (error) {
      if (error instanceof RoomRefusal) throw error
      this.report(error)
      throw new RoomRefusal(ROOM_RELOADING)
    }
  }

  /** The same, for calls whose answer nobody waits for. */
  containSilently(run: () => void): void {
    try {
      this.contain(run)
    } catch {
      // A fault evicts everybody with the reason that the document is loaded again.
    }
  }
}

/** Whatever `run` throws is the sender's fault. @throws {RoomRefusal} */
export function refuseOnError<Answer>(code: CloseCode, run: () => Answer): Answer {
  try {
    return run()
  } catch (error) {
    throw toRefusal(code, error)
  }
}

export const toRefusal = (code: CloseCode, error: unknown): RoomRefusal =>
  error instanceof RoomRefusal ? error : new RoomRefusal({ code, detail: String(error) })
