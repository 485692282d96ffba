/**
 * What the HTTP transports share, from the opening to the close: a way down that differs, and one way up (upstream.ts).
 *
 *   way down opens ──names the link──▶ way up begins ──way down is open──▶ link
 */
import type { CloseReason } from '../protocol/close.ts'
import type { LinkKey } from '../protocol/link-key.ts'
import type { Control } from '../protocol/records.ts'
import { ProtocolError } from '../protocol/wire.ts'
import { LinkEnd, type Wire } from './link.ts'
import { givenUp, openingError } from './opening.ts'
import type { Capabilities, Link, LinkInfo, Sink, Target, Transport, TransportId } from './transport.ts'
import { TransportError } from './transport.ts'
import { Upstream } from './upstream.ts'

/** Where a way down leaves what it hears. */
export interface Down {
  readonly target: Target
  /** Aborted when the link is over, and nothing is to be held open any more. */
  readonly signal: AbortSignal
  /** Nothing is listened to any more, though the server may still be told why. */
  readonly closed: boolean
  /** Milliseconds since a frame last went up. */
  readonly quietMs: number
  /** Before frames: what the server calls this link. */
  named(key: LinkKey): void
  frame(frame: Uint8Array<ArrayBuffer>): void
  control(control: Control): void
  /** It broke, or the other side ended it. */
  ended(reason: CloseReason): void
  /** What came is not what was agreed; or whatever else was thrown on the way. */
  failed(error: unknown): void
}

interface Kind {
  readonly id: TransportId
  readonly capabilities: Capabilities
  /** Whether the way up may become one streamed body. */
  readonly streams: boolean
  /** Resolves once frames may flow. Rejects with what `open` is to throw. */
  readonly openDown: (down: Down) => Promise<void>
}

export const httpTransport = (kind: Kind): Transport => ({
  id: kind.id,
  capabilities: kind.capabilities,
  async open(target, sink, signal) {
    if (signal.aborted) throw givenUp(signal)
    try {
      return await new HttpWire(kind, target).open(sink, signal)
    } catch (error) {
      throw openingError(error, signal)
    }
  },
})

class HttpWire implements Wire, Down {
  readonly target: Target
  readonly #kind: Kind
  readonly #link = new LinkEnd(this)
  readonly #over = new AbortController()
  readonly #failure = Promise.withResolvers<never>()
  #up: Upstream | undefined
  #sentAt = performance.now()

  constructor(kind: Kind, target: Target) {
    this.#kind = kind
    this.target = target
    this.#failure.promise.catch(() => {})
  }

  async open(sink: Sink, signal: AbortSignal): Promise<Link> {
    const onAbort = (): void => this.#link.ended(givenUp(signal).reason)
    signal.addEventListener('abort', onAbort)
    try {
      await Promise.race([this.#kind.openDown(this), this.#failure.promise])
    } catch (error) {
      this.#letGo()
      throw error
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
    // It may have ended between the last byte and this line.
    if (this.#link.closed) await this.#failure.promise
    this.#link.attach(sink)
    return this.#link
  }

  // As a wire

  get info(): LinkInfo {
    const protocol = this.target.net.protocolOf(this.target.origin)
    return { transport: this.#kind.id, protocol, up: this.#up?.way ?? 'batched posts' }
  }

  write(frame: Uint8Array): Promise<void> {
    this.#sentAt = performance.now()
    return this.#up!.send(frame)
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    this.#failure.reject(new TransportError(reason))
    if (side === 'there' || !this.#up) return this.#letGo()
    // The way down stays until the server was told: its end alone would say no more than `lost`.
    void this.#up.close(reason).then(() => this.#letGo())
  }

  #letGo(): void {
    this.#up?.abort()
    this.#over.abort()
  }

  // As the way down's listener

  get signal(): AbortSignal {
    return this.#over.signal
  }

  get closed(): boolean {
    return this.#link.closed
  }

  get quietMs(): number {
    return performance.now() - this.#sentAt
  }

  named(key: LinkKey): void {
    // A network may repeat what came: a second way up beside the first would mix the order of their frames.
    if (this.#link.closed || this.#up) return
    const failed = (reason: CloseReason): void => this.#link.ended(reason)
    this.#up = new Upstream({ target: this.target, key, streams: this.#kind.streams, failed })
  }

  frame(frame: Uint8Array<ArrayBuffer>): void {
    try {
      this.#link.receive(frame)
    } catch (error) {
      // By a listener of the document: not the link's fault, and the frames behind it are heard all the same.
      queueMicrotask(() => {
        throw error
      })
    }
  }

  control(control: Control): void {
    if (control.type === 'up' && !this.#link.closed) this.#up?.confirm()
    if (control.type === 'close') this.#link.ended(control.reason)
  }

  ended(reason: CloseReason): void {
    this.#link.ended(reason)
  }

  failed(error: unknown): void {
    if (error instanceof ProtocolError) this.#link.close(error.reason)
    else if (error instanceof TransportError) this.#link.ended(error.reason)
    else this.#link.ended({ code: 'lost', detail: String(error) })
  }
}
