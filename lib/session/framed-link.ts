/** A link with framing, from its opening to its close. It counts traffic and decides nothing. */
import type { CloseReason } from '../protocol/close.ts'
import { type EncodedMessage, FrameJoiner, packFrames } from '../protocol/framing.ts'
import type { Link, LinkInfo } from '../transports/transport.ts'
import type { SendingLink } from './reliable-sender.ts'

export interface LinkTraffic {
  framesUp: number
  framesDown: number
  bytesUp: number
  bytesDown: number
}

export class FramedLink implements SendingLink {
  readonly #link: Link
  readonly #traffic: LinkTraffic
  readonly #joiner = new FrameJoiner()
  readonly openedAt: number
  sentUpTo = 0

  constructor(link: Link, traffic: LinkTraffic, openedAt: number) {
    this.#link = link
    this.#traffic = traffic
    this.openedAt = openedAt
  }

  get info(): LinkInfo {
    return this.#link.info
  }

  send(messages: readonly EncodedMessage[]): void {
    for (const frame of packFrames(messages)) {
      this.#traffic.framesUp += 1
      this.#traffic.bytesUp += frame.length
      this.#link.send(frame).catch((error: unknown) => this.close({ code: 'lost', detail: String(error) }))
    }
  }

  /** Returns the messages that a frame completes, null while pieces are missing. @throws {ProtocolError} */
  receive(frame: Uint8Array): Uint8Array | null {
    this.#traffic.framesDown += 1
    this.#traffic.bytesDown += frame.length
    return this.#joiner.push(frame)
  }

  close(reason: CloseReason): void {
    this.#link.close(reason)
  }
}
