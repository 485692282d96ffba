/** Who measures what a session does (lib/latency). While nobody looks there is none, and it costs nothing. */
export interface SessionObserver {
  /** Whole messages came; they are acted on next. */
  onMessages(): void
  /** All numbered messages up to this one are with the transport. */
  onSent(upTo: number): void
  /** The server has all up to this one. */
  onAcknowledged(upTo: number): void
  /** The server's answer to `askClock`. */
  onServerTime(token: number, micros: number): void
  /** Numbers begin again. */
  onRestart(): void
}
