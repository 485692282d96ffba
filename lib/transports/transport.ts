/**
 * A transport is ONE attempt at ONE link. It knows URLs and bytes; it does not know retry, queues, numbers or status (T3).
 *
 *   open() ──resolves──▶ frames flow both ways, whole and in order (T2) ──▶ sink.onClosed, exactly once (T1)
 *      └──rejects with TransportError──▶ nothing more happens
 *
 * Both ends of a link have the same interface: a gateway on the server makes a `Link` and is given a `Sink`, too.
 */
import type { CloseReason } from '../protocol/close.ts'
import { describeClose } from '../protocol/close.ts'
import { transportsStrings } from '../strings/transports.ts'
import type { NetworkPlatform } from './net/net.ts'

/** Each client of a server adds its id in its own file, and registry.ts must list it. */
export interface NetworkTransports {}

/** The transports that need a network. */
export type NetworkTransportId = keyof NetworkTransports

/** `memory` is within one page, for tests. */
export type TransportId = NetworkTransportId | 'memory'

export interface Transport {
  readonly id: TransportId
  /** Capabilities are data, never checked by `instanceof` (T5). */
  readonly capabilities: TransportCapabilities
  /**
   * Resolves once frames may flow. The first frames of the other side may reach the sink just before the code that awaits this
   * continues. @throws {TransportError} when frames never will flow, or when `signal` is aborted.
   */
  open(target: LinkTarget, sink: Sink, signal: AbortSignal): Promise<Link>
}

export interface TransportCapabilities {
  /** Whether frames can go up while another is still on its way (batched POSTs cannot). */
  readonly fullDuplex: boolean
  /** The factor by which a frame grows on its way down, roughly: base64 is 4/3. */
  readonly downFactor: number
}

/** What both ends and the screen know of a transport beside its code. */
export interface TransportDescriptor {
  readonly id: NetworkTransportId
  /** Its name on screen. */
  readonly label: string
  /** Beside figures, where there is little room. */
  readonly shortLabel?: string
  readonly explanation: string
  readonly capabilities: TransportCapabilities
  /** Its requests stay open, of which HTTP/1.1 allows few: the windows of one browser may share a link. */
  readonly isShareable: boolean
  /** Whether frames may go up in one streamed request body. */
  readonly mayStreamBody: boolean
  /**
   * How frames come down: by one stream that lasts as long as the link, by requests that the server holds until it has frames, or by
   * requests at an interval.
   */
  readonly downstream: 'stream' | 'held requests' | 'timed requests'
  /** The path of the request that opens a link: one request for each link. */
  readonly linkPath: string
  /** Further paths that no other transport uses. */
  readonly otherPaths?: readonly string[]
}

/** A transport to a server. */
export interface NetworkTransport extends TransportDescriptor, Transport {
  readonly id: NetworkTransportId
  /** Loads the code that the first attempt would load. Absent where no more code is needed. */
  loadAhead?(): Promise<unknown>
}

export interface LinkTarget {
  /** Scheme, host and port: `https://localhost:3443`. */
  readonly origin: string
  readonly net: NetworkPlatform
  /** A share link's token, for clients that bring no cookie (A1). It is sent as a header, never in a URL (A3). */
  readonly token?: string
  /** False: an HTTP transport sends by POSTs alone, although the platform could stream a body. */
  readonly streamedBody?: boolean
  /** Whether the windows of this browser share one link (shared/shared-transport.ts). Automatic: if HTTP/1.1 allows too few. */
  readonly sharing?: LinkSharing
}

export type LinkSharing = 'automatic' | 'always' | 'never'

export interface Sink {
  onFrame(frame: Uint8Array<ArrayBuffer>): void
  /** Called exactly once (T1), and nothing is called after it. Not called when `open` rejected. */
  onClosed(reason: CloseReason): void
}

export interface Link {
  /**
   * Hands one frame to the network, in the order of the calls. Resolves at once while little waits (64 KiB), otherwise when the
   * queue has drained to that: this is the back-pressure. The frame must not be changed any more.
   * After the close it resolves and does nothing. @throws {FrameTooLarge} above MAX_FRAME_BYTES.
   */
  send(frame: Uint8Array): Promise<void>
  /** Ends the link and calls the sink's `onClosed(reason)`. A second call does nothing. */
  close(reason: CloseReason): void
  /** It may change while the link lives, and must be read anew each time it is shown. */
  readonly info: LinkInfo
}

export interface LinkInfo {
  readonly transport: TransportId
  /** `h2` or `http/1.1`, as ALPN and nextHopProtocol name them; '' if the platform does not provide it. */
  readonly protocol: string
  /** How frames go up, for transports with more than one upload mode. */
  readonly up: 'frames' | 'streamed body' | 'batched posts'
  /** The windows of a browser share the link. */
  readonly shared?: true
  /** The network simulator is in the way of this link (network-simulator.ts). */
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

/** The close reason for any error that an opening threw. */
export const closeReasonOf = (error: unknown): CloseReason =>
  error instanceof TransportError ? error.reason : { code: 'lost', detail: String(error) }

export class FrameTooLarge extends Error {
  override readonly name = 'FrameTooLarge'

  constructor(bytes: number, limit: number) {
    super(transportsStrings.details.frameTooLarge(bytes, limit))
  }
}
