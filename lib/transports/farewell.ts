/** The last word of a page that is being left: one POST that outlives it, with whatever its session still has to say. */
import { paths } from '../protocol/http.ts'
import { MAX_FAREWELL_BYTES } from '../protocol/limits.ts'
import { encodeRecords, recordBytes } from '../protocol/records.ts'
import { bearer } from './opening.ts'
import type { Target } from './transport.ts'

/** Whether one farewell has room for these frames. */
export const fitsFarewell = (frames: readonly Uint8Array[]): boolean =>
  frames.reduce((sum, frame) => sum + recordBytes(frame), 0) <= MAX_FAREWELL_BYTES

/** A conversation of its own: hello(resume, take) first, bye last. True when the server heard it, which says nothing of the disk. Never rejects. */
export async function sayFarewell(target: Target, frames: readonly Uint8Array[]): Promise<boolean> {
  const init = {
    method: 'POST',
    headers: bearer(target),
    body: encodeRecords(frames),
    keepalive: true,
  } as const
  try {
    return (await target.net.fetch(target.origin + paths.farewell, init)).ok
  } catch {
    return false
  }
}
