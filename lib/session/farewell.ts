/** The last request of a page that goes for good: it outlives the page, and nobody hears its answer. */
import { packFrames } from '../protocol/envelope.ts'
import { paths } from '../protocol/http.ts'
import { encodeRecords } from '../protocol/records.ts'
import { bearer } from '../transports/opening.ts'
import type { Target } from '../transports/transport.ts'

/** Browsers give all such requests of a page 64 KiB together. What is larger waits on this device. */
const MAX_FAREWELL_BYTES = 60 * 1024

/** @param messages A conversation of its own: who this is, what is unsent, goodbye. */
export function sendFarewell(target: Target, messages: readonly Uint8Array[]): void {
  const body = encodeRecords(packFrames(messages))
  if (body.length > MAX_FAREWELL_BYTES) return
  const headers = bearer(target)
  const init = { method: 'POST', headers, body, keepalive: true } as const
  target.net.fetch(target.origin + paths.farewell, init).catch(() => {})
}
