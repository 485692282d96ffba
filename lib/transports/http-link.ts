/**
 * What the links of the HTTP transports share, from the opening to the close. Each has a downstream of its own; all have one upstream
 * (upstream.ts).
 *
 *   downstream opens ──names the link──▶ upstream begins ──downstream is open──▶ link
 */
import type { CloseReason } from '../protocol/close.ts'
import type { LinkKey } from '../protocol/link-key.ts'
import type { ControlRecord } from '../protocol/records.ts'
import { ProtocolError } from '../protocol/wire.ts'
import { LinkEnd, type LinkDriver } from './link.ts'
import { abortedOpening, openingError } from './opening.ts'
import type { Link, LinkInfo, Sink, LinkTarget, Transport, TransportDescriptor } from './transport.ts'
import { TransportError } from './transport.ts'
import { Upstream } from './upstream.ts'

/** The receiver of what a downstream reads. */
export interface Downstream {
  readonly target: LinkTarget
  /** The address of the request that opens a link. */
  readonly linkUrl: string
  /** Aborted when the link is over: nothing may stay open any more. */
  readonly signal: AbortSignal
  /** Whether the link has ended: frames are ignored, though the server may still have to receive the reason. */
  readonly closed: boolean
  /** Milliseconds since a frame last went up. */
  readonly msSinceLastSend: number
  /** The server named this link. Called before any frame. */
  onLinkKey(key: LinkKey): void
  onFrame(frame: Uint8Array<ArrayBuffer>): void
  onControl(control: ControlRecord): void
  /** The downstream broke, or the other side ended it. */
  onEnded(reason: CloseReason): void
  /** The server broke the protocol, or reading threw some other error. */
  onFailure(error: unknown): void
}

/** Resolves once frames may flow. Rejects with what `open` is to throw. */
export type OpenDownstream = (downstream: Downstream) => Promise<void>

type HttpDescriptor = Pick<TransportDescriptor, 'id' | 'linkPath' | 'mayStreamBody'>

export const openHttpLinksBy =
  (descriptor: HttpDescriptor, openDownstream: OpenDownstream): Transport['open'] =>
  async (target, sink, signal) => {
    if (signal.aborted) throw abortedOpening(signal)
    try {
      return await new HttpLinkDriver(descriptor, target).open(openDownstream, sink, signal)
    } catch (error) {
      throw openingError(error, signal)
    }
  }

class HttpLinkDriver implements LinkDriver, Downstream {
  readonly target: LinkTarget
  readonly #descriptor: HttpDescriptor
  readonly #link = new LinkEnd(this)
  readonly #abort = new AbortController()
  readonly #failure = Promise.withResolvers<never>()
  #upstream: Upstream | undefined
  #sentAt = performance.now()

  constructor(descriptor: HttpDescriptor, target: LinkTarget) {
    this.#descriptor = descriptor
    this.target = target
    this.#failure.promise.catch(() => {})
  }

  async open(openDownstream: OpenDownstream, sink: Sink, signal: AbortSignal): Promise<Link> {
    const onAbort = (): void => this.#link.onEnded(abortedOpening(signal).reason)
    signal.addEventListener('abort', onAbort)
    try {
      await Promise.race([openDownstream(this), this.#failure.promise])
    } catch (error) {
      this.#release()
      throw error
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
    // The link may have ended between the last byte and this line.
    if (this.#link.closed) await this.#failure.promise
    this.#link.attach(sink)
    return this.#link
  }

  // LinkDriver

  get info(): LinkInfo {
    const protocol = this.target.net.protocolOf(this.target.origin)
    return { transport: this.#descriptor.id, protocol, up: this.#upstream?.mode ?? 'batched posts' }
  }

  write(frame: Uint8Array): Promise<void> {
    this.#sentAt = performance.now()
    return this.#upstream!.send(frame)
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    this.#failure.reject(new TransportError(reason))
    if (side === 'there' || !this.#upstream) return this.#release()
    // The downstream stays open until the server has the reason: its end alone would mean no more than `lost`.
    void this.#upstream.close(reason).then(() => this.#release())
  }

  #release(): void {
    this.#upstream?.abort()
    this.#abort.abort()
  }

  // Downstream

  get linkUrl(): string {
    return this.target.origin + this.#descriptor.linkPath
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get closed(): boolean {
    return this.#link.closed
  }

  get msSinceLastSend(): number {
    return performance.now() - this.#sentAt
  }

  onLinkKey(key: LinkKey): void {
    // A network may repeat a message: a second upstream beside the first would mix the order of their frames.
    if (this.#link.closed || this.#upstream) return
    const onFailure = (reason: CloseReason): void => this.#link.onEnded(reason)
    this.#upstream = new Upstream({
      target: this.target,
      key,
      mayStreamBody: this.#descriptor.mayStreamBody,
      onFailure,
    })
  }

  onFrame(frame: Uint8Array<ArrayBuffer>): void {
    try {
      this.#link.receive(frame)
    } catch (error) {
      // A listener of the document threw it: that is not the link's fault, and the later frames are delivered all the same.
      queueMicrotask(() => {
        throw error
      })
    }
  }

  onControl(control: ControlRecord): void {
    if (control.type === 'up' && !this.#link.closed) this.#upstream?.onBodyConfirmed()
    if (control.type === 'close') this.#link.onEnded(control.reason)
  }

  onEnded(reason: CloseReason): void {
    this.#link.onEnded(reason)
  }

  onFailure(error: unknown): void {
    if (error instanceof ProtocolError) this.#link.close(error.reason)
    else if (error instanceof TransportError) this.#link.onEnded(error.reason)
    else this.#link.onEnded({ code: 'lost', detail: String(error) })
  }
}
