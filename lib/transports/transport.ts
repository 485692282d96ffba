/**
 * A transport is ONE attempt at ONE link. It knows URLs and bytes; it does not know retry, queues, numbers or status (T3).
 *
 *   open() ──resolves──▶ frames flow both ways, whole and in order (T2) ──▶ sink.onClosed, exactly once (T1)
 *      └──rejects with TransportError──▶ nothing more happens
 *
 * Both ends of a link wear the same face: a gateway on the server makes a `Link` and is given a `Sink`, too.
 */
import type { CloseReason } from '../protocol/close.ts'
import { describeClose } from '../protocol/close.ts'
import { strings } from '../strings/transports.ts'
import type { NetworkPlatform } from './net/net.ts'

export type TransportId = 'websocket' | 'sse' | 'stream' | 'long-poll' | 'poll' | 'memory'

/** Those that need a network, in the order of preference. */
export const networkTransports: readonly TransportId[] = ['websocket', 'sse', 'stream', 'long-poll', 'poll']

export interface Transport {
  readonly id: TransportId
  /** Data, never `instanceof` (T5). */
  readonly capabilities: TransportCapabilities
  /**
   * Resolves once frames may flow. What the other side says at once may reach the sink just before the code that awaits this
   * goes on. @throws {TransportError} when they never will, or when `signal` is aborted.
   */
  open(target: LinkTarget, sink: Sink, signal: AbortSignal): Promise<Link>
}

export interface TransportCapabilities {
  /** Frames can go up while one is still on its way (a batched POST cannot). */
  readonly fullDuplex: boolean
  /** Bytes a frame grows by on its way down, roughly: base64 is 4/3. */
  readonly downFactor: number
}

export interface LinkTarget {
  /** Scheme, host and port: `https://localhost:3443`. */
  readonly origin: string
  readonly net: NetworkPlatform
  /** A link's token, for clients that bring no cookie (A1). Sent as a header, never in a URL (A3). */
  readonly token?: string
  /** False: an HTTP transport goes up by POSTs alone, although the platform could stream a body. */
  readonly streamedBody?: boolean
  /** Whether the windows of this browser share one link (shared/shared.ts). Automatic: where HTTP/1.1 allows too few. */
  readonly sharing?: LinkSharing
}

export type LinkSharing = 'automatic' | 'always' | 'never'

export interface Sink {
  onFrame(frame: Uint8Array<ArrayBuffer>): void
  /** Exactly once (T1), and nothing after it. Not called when `open` rejected. */
  onClosed(reason: CloseReason): void
}

export interface Link {
  /**
   * Hands one frame to the network, in the order of the calls. Resolves at once while little waits (64 KiB), else when the
   * queue has drained to that: the measure of back-pressure. The frame must not be changed any more.
   * After the close it resolves and does nothing. @throws {FrameTooLarge} above MAX_FRAME_BYTES.
   */
  send(frame: Uint8Array): Promise<void>
  /** Ends the link; the sink hears `onClosed(reason)`. A second call does nothing. */
  close(reason: CloseReason): void
  /** May change while the link lives: to be read anew each time it is shown. */
  readonly info: LinkInfo
}

export interface LinkInfo {
  readonly transport: TransportId
  /** `h2`, `http/1.1`, as ALPN and nextHopProtocol name them; '' where the platform does not tell. */
  readonly protocol: string
  /** How frames go up, where a transport has more than one way. */
  readonly up: 'frames' | 'streamed body' | 'batched posts'
  /** Where several windows of a browser ride on one link: whose it is. */
  readonly sharedBy?: 'this window' | 'another window'
  /** The network simulator stands in its way (simulated.ts). */
  readonly simulated?: true
}

export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly reason: CloseReason

  constructor(reason: CloseReason, cause?: unknown) {
    super(describeClose(reason), { cause })
    this.reason = reason
  }
}

/** Of whatever an opening threw. */
export const closeReasonOf = (error: unknown): CloseReason =>
  error instanceof TransportError ? error.reason : { code: 'lost', detail: String(error) }

export class FrameTooLarge extends Error {
  override readonly name = 'FrameTooLarge'

  constructor(bytes: number, limit: number) {
    super(strings.details.frameTooLarge(bytes, limit))
  }
}
