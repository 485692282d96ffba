/** What a window shows of its document: two axes, because "is there a link" and "is the text safe" are different questions. */
import type { CloseReason } from '../protocol/close.ts'
import type { LinkInfo, TransportId } from '../transports/transport.ts'

export type TransportChoice = TransportId | 'automatic'

export type LinkStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'up'; readonly info: LinkInfo; readonly switchingTo?: TransportId }
  | { readonly state: 'retrying'; readonly retryAt: number; readonly reason: CloseReason }
  | { readonly state: 'stopped'; readonly reason: CloseReason }

export type DocumentStatus =
  | { readonly state: 'loading' }
  | { readonly state: 'synced'; readonly role: 'viewer' | 'editor' | 'owner' }
  | { readonly state: 'refused'; readonly reason: CloseReason }

export interface Evidence {
  readonly transport: TransportId
  readonly at: number
  /** 'in use', or the reason it is not: "The network refused this transport. (403)". */
  readonly outcome: string
}

export interface Status {
  readonly link: LinkStatus
  readonly document: DocumentStatus
  /** Edits made here that the server has not acknowledged as committed. "Saved" is unsaved === 0 and synced, and nothing else. */
  readonly unsaved: number
  readonly choice: TransportChoice
  readonly offered: readonly TransportId[]
  readonly evidence: readonly Evidence[]
}
