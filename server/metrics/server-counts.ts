/** What the parts count while they work. Knows numbers; does not know who reads them. */
import type { AttachCause } from '../../lib/protocol/channel-messages.ts'
import type { CloseCode } from '../../lib/protocol/close.ts'

export class ServerCounts {
  /** Taken from clients, new text in them or not. */
  edits = 0
  /** Transactions of the store that hold edits; one room's share of them. */
  commits = 0
  /** A commit that the store refused, each time it was tried. */
  storeFailures = 0
  /** A reader lagged so far that its changes are merged (S6). */
  lags = 0
  /** A window attached again, and why (S3, D7, W2). */
  readonly resyncs = new Map<AttachCause, number>()
  /** Edits, entrances and links that were refused. */
  readonly refusals = new Map<CloseCode, number>()
}

export const incrementCount = <Key>(counts: Map<Key, number>, key: Key): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1)
