/** How one client of a crowd talks with one kind of server. Knows bytes; does not know schedules or measurements. */

export interface DocumentAddress {
  readonly document: string
  /** Of a link to the document; '' where the server asks for none. */
  readonly token: string
  /** The Yjs client whose letters it writes. */
  readonly author: number
}

/** A callback that a caller does not need is left out. */
export interface CrowdListener {
  /** The text that the document held when it was opened. */
  onState?(update: Uint8Array): void
  /** Somebody's edits, as one Yjs update. Some servers send an author's own edits back. */
  onUpdate?(update: Uint8Array): void
  /** The first `count` edits of this client are acknowledged, in the server's own sense. */
  onAcknowledged?(count: number): void
  /** It ended by itself. Not called behind `close`. */
  onClosed?(why: string): void
}

export interface CrowdConnection {
  sendEdit(update: Uint8Array): void
  /** What a client of this kind says from time to time only to be known alive; nothing where it says nothing. */
  sendHeartbeat(): void
  close(): void
}

export interface CrowdProtocol {
  /** How often `sendHeartbeat` is due. */
  readonly heartbeatMs: number
  /** The server says nothing of an edit but by sending it back: that is then its acknowledgement. */
  readonly echoes?: boolean
  /** The server tells an author nothing of an edit, not even that. */
  readonly silent?: boolean
  /** Resolves once the document is open: edits may go, and come. */
  open(origin: string, place: DocumentAddress, listener: CrowdListener): Promise<CrowdConnection>
}
