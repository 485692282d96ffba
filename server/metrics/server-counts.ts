/** Counts what the server's components do. It knows numbers; it does not know who reads them. */
import type { AttachCause } from '../../lib/protocol/channel-messages.ts'
import type { CloseCode } from '../../lib/protocol/close.ts'

export class ServerCounts {
  /** Edits taken from clients, with or without new text. */
  edits = 0
  /** Commits of edits: each room's share of a store transaction counts as one. */
  commits = 0
  /** Commits that the store refused, each attempt counted. */
  storeFailures = 0
  /** Readers that lagged so far that their changes were merged (S6). */
  lags = 0
  /** Windows that attached again, by cause (S3, D7, W2). */
  readonly resyncs = new Map<AttachCause, number>()
  /** Edits, attach requests and links that were refused. */
  readonly refusals = new Map<CloseCode, number>()
}

export const incrementCount = <Key>(counts: Map<Key, number>, key: Key): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1)
