/** What /admin shows: figures of one server, measured at an interval and kept for a while. */

export const ADMIN_SAMPLE_INTERVAL_MS = 5_000
/** A quarter of an hour. */
export const MAX_ADMIN_SAMPLES = 180

/** One moment. What happens is counted over the interval before it, and given per second where the name says so. */
export interface AdminSample {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Sessions by the transport of their link; `none` without a link. */
  readonly sessions: Readonly<Record<string, number>>
  readonly messagesReceivedPerSecond: number
  readonly messagesSentPerSecond: number
  readonly bytesReceivedPerSecond: number
  readonly bytesSentPerSecond: number
  /** Null if nothing was acknowledged. */
  readonly acknowledgementP50Ms: number | null
  readonly acknowledgementP99Ms: number | null
  readonly loopDelayP50Ms: number
  readonly loopDelayP99Ms: number
  readonly storeErrors: number
  readonly rooms: number
  readonly queued: number
  readonly residentBytes: number
  readonly heapBytes: number
}

export interface AdminNode {
  readonly name: string
  /** The nodes that live, this one included. */
  readonly count: number
}

export interface AdminFigures {
  readonly version: string
  readonly uptimeSeconds: number
  readonly store: string
  /** Which node answered; null from a server that can only be alone. */
  readonly node: AdminNode | null
  /** The oldest first. */
  readonly samples: readonly AdminSample[]
}
