/** One session's place on one link, or on its ride of a link that several share. */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { type EncodedMessage, packFrames } from '../../lib/protocol/framing.ts'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import type { SendingLink } from '../../lib/session/reliable-sender.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { SENT } from '../../lib/transports/link.ts'
import type { Link } from '../../lib/transports/transport.ts'
import { FRAME_COST_BYTES } from './charged-link.ts'

/** Who waits for more is not told of presence. */
export const MAX_PRESENCE_BACKLOG_BYTES = 64 * 1024
const MAX_BACKLOG_BYTES = 2 * MAX_MESSAGE_BYTES

/** Small ones lie side by side in memory that Node keeps for such. */
const allocateFromPool = (length: number): Buffer<ArrayBuffer> => Buffer.allocUnsafe(length)

export class SessionLink implements SendingLink {
  readonly #link: Link
  sentUpTo = 0
  /** Bytes that the network has not taken: pings and presence count, which no session keeps. */
  #waiting = 0
  #framesWaiting = 0

  constructor(link: Link) {
    this.#link = link
  }

  /** The network takes what it is given, or is not far behind. */
  get hasCapacity(): boolean {
    return this.#waiting <= MAX_PRESENCE_BACKLOG_BYTES
  }

  send(messages: readonly EncodedMessage[]): void {
    for (const frame of packFrames(messages, allocateFromPool)) {
      const sent = this.#link.send(frame)
      if (sent !== SENT) void this.#wait(frame.length, sent)
    }
    if (this.#waiting + this.#framesWaiting * FRAME_COST_BYTES > MAX_BACKLOG_BYTES)
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
