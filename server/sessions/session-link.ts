/** One session's use of one link, or of its sub-link of a link that several share. */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { type EncodedMessage, packFrames } from '../../lib/protocol/framing.ts'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import { encodeServerMessage, type ServerMessage } from '../../lib/protocol/message.ts'
import type { SendingLink } from '../../lib/session/reliable-sender.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { SENT } from '../../lib/transports/link.ts'
import type { Link, TransportId } from '../../lib/transports/transport.ts'
import { Traffic } from '../metrics/server-counts.ts'
import { FRAME_COST_BYTES } from './charged-link.ts'

/** A reader that waits for more than this gets no presence. */
export const MAX_PRESENCE_BACKLOG_BYTES = 64 * 1024
const MAX_BACKLOG_BYTES = 2 * MAX_MESSAGE_BYTES

/** Small buffers share memory that Node keeps for them. */
const allocateFromPool = (length: number): Buffer<ArrayBuffer> => Buffer.allocUnsafe(length)

export class SessionLink implements SendingLink {
  readonly #link: Link
  readonly #traffic: Traffic
  sentUpTo = 0
  /** Bytes that the network has not taken. Pings and presence count here too, though no session stores them. */
  #waitingBytes = 0
  #waitingFrames = 0
  /** What was asked in this turn, by the answer's type. */
  readonly #answers = new Map<ServerMessage['type'], ServerMessage>()

  constructor(link: Link, traffic = new Traffic()) {
    this.#link = link
    this.#traffic = traffic
  }

  get transport(): TransportId {
    return this.#link.info.transport
  }

  /** True if the network takes what it is given, or is not far behind. */
  get hasCapacity(): boolean {
    return this.#waitingBytes <= MAX_PRESENCE_BACKLOG_BYTES
  }

  send(messages: readonly EncodedMessage[]): void {
    this.#traffic.messagesSent += messages.length
    for (const frame of packFrames(messages, allocateFromPool)) {
      this.#traffic.bytesSent += frame.length
      const sent = this.#link.send(frame)
      if (sent !== SENT) void this.#waitUntilTaken(frame.length, sent)
    }
    if (this.#waitingBytes + this.#waitingFrames * FRAME_COST_BYTES > MAX_BACKLOG_BYTES)
      this.close({ code: 'overloaded', detail: serverRefusalsStrings.link.slowReader })
  }

  /** Sends the answer when this turn ends; of several of one kind only the last, since one frame may ask a hundred thousand times. */
  answer(message: ServerMessage): void {
    if (this.#answers.size === 0) queueMicrotask(() => this.#sendAnswers())
    this.#answers.set(message.type, message)
  }

  #sendAnswers(): void {
    const answers = [...this.#answers.values()]
    this.#answers.clear()
    this.send(answers.map(encodeServerMessage))
  }

  /** Never rejects. */
  async #waitUntilTaken(bytes: number, taken: Promise<void>): Promise<void> {
    this.#waitingBytes += bytes
    this.#waitingFrames += 1
    try {
      await taken
    } catch (error) {
      this.close({ code: 'lost', detail: String(error) })
    }
    this.#waitingBytes -= bytes
    this.#waitingFrames -= 1
  }

  close(reason: CloseReason): void {
    this.#link.close(reason)
  }
}
