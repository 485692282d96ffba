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

/** The space that is stored in, in bytes. */
export interface AdminSpace {
  /** All that is stored for people, as it was read within the last minute. */
  readonly usedBytes: number
  /** LIMIT_STORAGE; null for none. */
  readonly limitBytes: number | null
  /** LIMIT_STORAGE_OF_PERSON; null for none. */
  readonly personLimitBytes: number | null
  /** What the disk of the store has free; null where it is another computer's. */
  readonly freeBytes: number | null
  /** RESERVED_DISK, which stays free; null where nothing is reserved. */
  readonly reservedBytes: number | null
}

export interface AdminFigures {
  readonly version: string
  readonly uptimeSeconds: number
  readonly store: string
  /** Which node answered; null from a server that can only be alone. */
  readonly node: AdminNode | null
  readonly space: AdminSpace
  /** The oldest first. */
  readonly samples: readonly AdminSample[]
}
