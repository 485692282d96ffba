/** Defines how one client of a crowd speaks with one kind of server. Knows bytes, and neither schedules nor measurements. */

export interface DocumentAddress {
  readonly document: string
  /** The token of a link to the document; '' if the server needs none. */
  readonly token: string
  /** The Yjs client id under which it writes. */
  readonly author: number
}

export interface CrowdListener {
  /** Receives the document's state when it is opened. */
  onState?(update: Uint8Array): void
  /** Receives edits as one Yjs update. Some servers send an author's own edits back. */
  onUpdate?(update: Uint8Array): void
  /** The server has acknowledged the first `count` edits of this client. What that means is the server's choice. */
  onAcknowledged?(count: number): void
  /** The connection ended, but not by `close`. */
  onClosed?(why: string): void
}

export interface CrowdConnection {
  sendEdit(update: Uint8Array): void
  /** Sends what a client of this kind sends to be known alive; nothing if it sends nothing. */
  sendHeartbeat(): void
  close(): void
}

export interface CrowdProtocol {
  /** The time between two heartbeats. */
  readonly heartbeatMs: number
  /** The server acknowledges an edit only by sending it back to its author. */
  readonly echoes?: boolean
  /** The server neither acknowledges an edit nor sends it back. */
  readonly silent?: boolean
  /** Resolves once the document is open, so that edits can be sent and received. */
  open(origin: string, address: DocumentAddress, listener: CrowdListener): Promise<CrowdConnection>
}
