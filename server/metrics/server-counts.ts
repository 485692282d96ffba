/** Counts what the server's components do. It knows numbers; it does not know who reads them. */
import type { AttachCause } from '../../lib/protocol/channel-messages.ts'
import type { CloseCode } from '../../lib/protocol/close.ts'
import type { TransportId } from '../../lib/transports/transport.ts'
import type { WorkKind } from '../metering/prices.ts'
import { DurationHistogram } from './duration-histogram.ts'

/** What one transport carried. Bytes are those of frames, without what the transport itself and TLS add. */
export class Traffic {
  messagesReceived = 0
  messagesSent = 0
  bytesReceived = 0
  bytesSent = 0
}

export class ServerCounts {
  /** Edits taken from clients, with or without new text. */
  edits = 0
  /** Commits of edits: each room's share of a store transaction counts as one. */
  commits = 0
  /** Commits that the store refused, each attempt counted. */
  storeFailures = 0
  /** Documents that the store could not read. */
  loadFailures = 0
  /** Snapshots that the store did not take; the log stays as it is. */
  compactionFailures = 0
  /** Y.Docs that were dropped because the documents in memory took too much. */
  droppedDocs = 0
  /** Documents and edits that were refused for the same reason. */
  memoryRefusals = 0
  /** Readers that lagged so far that their changes were merged (S6). */
  lags = 0
  /** Windows that attached again, by cause (S3, D7, W2). */
  readonly resyncs = new Map<AttachCause, number>()
  /** Edits, attach requests and links that were refused, and sessions and stock clients that were disconnected for what they took. */
  readonly refusals = new Map<CloseCode, number>()
  /** Links that were not let in, by the code of the answer (A1, A2, A6, S8). */
  readonly refusedAdmissions = new Map<string, number>()
  /** Requests of the API that were refused, by the code of the answer. */
  readonly refusedRequests = new Map<string, number>()
  /** Work that the meter refused or let wait, by kind (A6). */
  readonly meteredWork = new Map<WorkKind, number>()
  /** From the moment at which an edit was received to its `saved` (S1). */
  readonly acknowledgements = new DurationHistogram()
  /** How long the store took for a batch, group commit included; failed attempts do not count. */
  readonly storeAppends = new DurationHistogram()
  /**
   * From a commit on one node to its arrival at another. Whoever carries changes between nodes calls `fanoutLag.record(seconds)`;
   * on one node nobody does.
   */
  readonly fanoutLag = new DurationHistogram()
  readonly traffic = new Map<TransportId, Traffic>()

  trafficOf(transport: TransportId): Traffic {
    const traffic = this.traffic.get(transport) ?? new Traffic()
    this.traffic.set(transport, traffic)
    return traffic
  }
}

export const incrementCount = <Key>(counts: Map<Key, number>, key: Key): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1)
