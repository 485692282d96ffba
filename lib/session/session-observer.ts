/** Measures what a session does (lib/latency). While nobody looks there is no observer, and it costs nothing. */
export interface SessionObserver {
  /** Whole messages arrived, and are handled next. */
  onMessages(): void
  /** The transport has all numbered messages up to this one. */
  onSent(upTo: number): void
  /** The server has all messages up to this one. */
  onAcknowledged(upTo: number): void
  /** The server answered `requestServerTime`. */
  onServerTime(token: number, micros: number): void
  /** Message numbers begin again. */
  onRestart(): void
}
