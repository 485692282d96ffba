/** How much of what a session's messages may ask for (A6). */
import type { Rate } from '../rate-limit.ts'

export { RateLimit } from '../rate-limit.ts'

/** A window stamps each frame of edits, answers every 100 ms and asks every 5 s; the rest is for measurements of fast typing. */
export const MAX_TRACES: Rate = { atOnce: 200, perSecond: 100 }
