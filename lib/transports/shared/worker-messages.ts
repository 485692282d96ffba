/** The messages between a window and the worker that holds the shared link. */
import type { CloseReason } from '../../protocol/close.ts'
import type { LinkInfo, TransportId } from '../transport.ts'

/** The part of MessagePort that is used here. */
export interface PortLike {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  /** Messages that came before are delivered now. */
  start(): void
  close(): void
}

/** What a link is opened with. Windows that ask for the same share a link. */
export interface LinkRequest {
  readonly transport: TransportId
  readonly origin: string
  readonly token?: string
  readonly streamedBody?: boolean
}

/** A window asks for a sub-link, and transfers a port for it. */
export interface SubLinkRequest {
  /** The id of the lock that shows that the window lives. */
  readonly window: string
  readonly link: LinkRequest
}

export type WindowMessage =
  | { readonly type: 'frame'; readonly frame: Uint8Array<ArrayBuffer> }
  /** The last message. */
  | { readonly type: 'close'; readonly reason: CloseReason }

export type WorkerMessage =
  /** The first message. `worker` is the id of the lock that shows that the worker lives. */
  | { readonly type: 'here'; readonly worker: string }
  | { readonly type: 'open'; readonly info: LinkInfo }
  /** The info changed. */
  | { readonly type: 'info'; readonly info: LinkInfo }
  | { readonly type: 'frame'; readonly frame: Uint8Array<ArrayBuffer> }
  /** So many more bytes went on to the network. */
  | { readonly type: 'sent'; readonly bytes: number }
  /** The last message. */
  | { readonly type: 'closed'; readonly reason: CloseReason }
