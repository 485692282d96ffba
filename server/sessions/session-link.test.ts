import { expect, test } from 'vitest'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { Link } from '../../lib/transports/transport.ts'
import { SessionLink } from './session-link.ts'

/** The reader of this link takes nothing. */
class StuckLink implements Link {
  readonly info = { transport: 'memory', protocol: '', up: 'frames' } as const
  sent = 0
  closed: CloseReason | null = null

  send(): Promise<void> {
    this.sent += 1
    return new Promise(() => {})
  }

  close(reason: CloseReason): void {
    this.closed ??= reason
  }
}

test.each([
  ['large frames', 8_000],
  ['frames of three bytes, each of which costs more than it holds', 2],
])('[A6] a link that takes nothing ends before 64 MiB of %s wait for it', (_what, length) => {
  const link = new StuckLink()
  const sessionLink = new SessionLink(link)
  const message = new Uint8Array(length)
  while (!link.closed && link.sent < 300_000) sessionLink.send([message])
  expect(link.closed).toMatchObject({ code: 'overloaded' })
})
