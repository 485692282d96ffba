/** One session's place on one link: frames for it carry the link's number for the session. */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { packFrames } from '../../lib/protocol/envelope.ts'
import type { Outlet } from '../../lib/session/speaker.ts'
import type { Link } from '../../lib/transports/transport.ts'

export class LinkSeat implements Outlet {
  readonly #link: Link
  readonly #session: number
  sentUpTo = 0

  constructor(link: Link, session: number) {
    this.#link = link
    this.#session = session
  }

  send(messages: readonly Uint8Array[]): void {
    for (const frame of packFrames(this.#session, messages)) {
      this.#link.send(frame).catch((error: unknown) => this.close({ code: 'lost', detail: String(error) }))
    }
  }

  close(reason: CloseReason): void {
    this.#link.close(reason)
  }
}
