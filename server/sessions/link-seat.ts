/** One session's place on one link, or on its ride of a link that several share. */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { type Encoded, packFrames } from '../../lib/protocol/envelope.ts'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import type { Outlet } from '../../lib/session/speaker.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { HANDED } from '../../lib/transports/link.ts'
import type { Link } from '../../lib/transports/transport.ts'
import { FRAME_COST_BYTES } from './charged-link.ts'

/** Who waits for more is not told of presence. */
export const FREE_BYTES = 64 * 1024
const MAX_WAITING_BYTES = 2 * MAX_MESSAGE_BYTES

/** Small ones lie side by side in memory that Node keeps for such. */
const fromPool = (length: number): Buffer<ArrayBuffer> => Buffer.allocUnsafe(length)

export class LinkSeat implements Outlet {
  readonly #link: Link
  sentUpTo = 0
  /** Bytes that the network has not taken: pings and presence count, which no session keeps. */
  #waiting = 0
  #framesWaiting = 0

  constructor(link: Link) {
    this.#link = link
  }

  /** The network takes what it is given, or is not far behind. */
  get isFree(): boolean {
    return this.#waiting <= FREE_BYTES
  }

  send(messages: readonly Encoded[]): void {
    for (const frame of packFrames(messages, fromPool)) {
      const taken = this.#link.send(frame)
      if (taken !== HANDED) void this.#wait(frame.length, taken)
    }
    if (this.#waiting + this.#framesWaiting * FRAME_COST_BYTES > MAX_WAITING_BYTES)
      this.close({ code: 'overloaded', detail: strings.link.slowReader })
  }

  /** Never rejects. */
  async #wait(bytes: number, taken: Promise<void>): Promise<void> {
    this.#waiting += bytes
    this.#framesWaiting += 1
    try {
      await taken
    } catch (error) {
      this.close({ code: 'lost', detail: String(error) })
    }
    this.#waiting -= bytes
    this.#framesWaiting -= 1
  }

  close(reason: CloseReason): void {
    this.#link.close(reason)
  }
}
