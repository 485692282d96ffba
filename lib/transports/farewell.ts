/** The last request of a page that is being left: one POST that outlives it, with all unacknowledged messages of its session. */
import { paths } from '../protocol/http.ts'
import { MAX_FAREWELL_BYTES } from '../protocol/limits.ts'
import { encodeRecords } from '../protocol/records.ts'
import { bearerHeaders } from './opening.ts'
import type { LinkTarget } from './transport.ts'

/**
 * The frames are complete by themselves: hello(resume, take) first, bye last. What is too large for one request is not sent: it
 * waits on this device. Resolves to true when the server received it, which does not mean saved. Never rejects.
 */
export async function sendFarewell(target: LinkTarget, frames: readonly Uint8Array[]): Promise<boolean> {
  const body = encodeRecords(frames)
  if (body.byteLength > MAX_FAREWELL_BYTES) return false
  const init = { method: 'POST', headers: bearerHeaders(target), body, keepalive: true } as const
  try {
    return (await target.net.fetch(target.origin + paths.farewell, init)).ok
  } catch {
    return false
  }
}
