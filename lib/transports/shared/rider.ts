/**
 * A link that rides on one which a window of this browser leads. It goes aboard again wherever another window begins to lead
 * before the first answer; once it is open, the end of its hub is its own (T3).
 */
import type { CloseReason } from '../../protocol/close.ts'
import { HANDED, HIGH_WATER_BYTES, LinkEnd, type Wire } from '../link.ts'
import { givenUp } from '../opening.ts'
import type { Link, LinkInfo, Sink, TransportId } from '../transport.ts'
import { TransportError } from '../transport.ts'
import type { FromHub, RiderPort } from './port.ts'
import { Watch } from './watch.ts'

/** For the hub to say that the ride is over: until then the window counts as riding. */
const FAREWELL_MS = 1_000

interface RiderHandlers {
  patienceMs(): number
  /** The window that leads does not answer. */
  onSilent(): void
  onEnded(): void
}

export class Rider implements Wire {
  info: LinkInfo
  readonly #link = new LinkEnd(this)
  readonly #handlers: RiderHandlers
  readonly #opened = Promise.withResolvers<void>()
  #watch: Watch | null = null
  #port: RiderPort | null = null
  #hub: string | null = null
  #isOpen = false
  #ended: TransportError | null = null
  #waiting = 0
  #room: PromiseWithResolvers<void> | null = null

  constructor(transport: TransportId, handlers: RiderHandlers) {
    this.info = { transport, protocol: '', up: 'batched posts' }
    this.#handlers = handlers
    this.#opened.promise.catch(() => {})
  }

  get isAboard(): boolean {
    return this.#port !== null
  }

  async open(sink: Sink, signal: AbortSignal): Promise<Link> {
    const onAbort = (): void => this.#link.close(givenUp(signal).reason)
    signal.addEventListener('abort', onAbort)
    try {
      if (signal.aborted) onAbort()
      await this.#opened.promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
    // It may have ended between that promise and this line.
    if (this.#ended) throw this.#ended
    this.#link.attach(sink)
    return this.#link
  }

  /** @param sharedBy Who leads. Where it is another window, it is watched. */
  board(port: RiderPort, sharedBy: NonNullable<LinkInfo['sharedBy']>): void {
    if (this.#isOpen || this.#link.closed) return port.close()
    this.#leave()
    this.#port = port
    this.#hub = null
    this.#watch =
      sharedBy === 'another window'
        ? new Watch({
            patienceMs: () => this.#handlers.patienceMs(),
            ask: () => port.post({ type: 'ask' }),
            onSilent: () => this.#handlers.onSilent(),
          })
        : null
    port.listen((message) => this.#hear(message, sharedBy))
    // The call that goes out with it.
    this.#watch?.asked()
  }

  /** Where a window comes into view, it asks at once. */
  ask(): void {
    this.#watch?.ask()
  }

  /** An opening is given up here rather than by a deadline, which would blame the network. A link that is open waits. */
  doNotWait(reason: CloseReason): void {
    if (!this.#isOpen) this.#link.ended(reason)
  }

  /** Another window leads now. True where this one is still to go aboard. */
  handedOver(reason: CloseReason): boolean {
    if (this.#isOpen) this.#link.ended(reason)
    return !this.#link.closed
  }

  write(frame: Uint8Array): Promise<void> {
    this.#port?.post({ type: 'frame', frame: whole(frame) })
    this.#watch?.sent()
    this.#waiting += frame.byteLength
    return this.#waiting > HIGH_WATER_BYTES ? (this.#room ??= Promise.withResolvers()).promise : HANDED
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    this.#ended = new TransportError(reason)
    this.#opened.reject(this.#ended)
    this.#makeRoom()
    if (side === 'here') this.#sayGoodbye(reason)
    else this.#leave()
    this.#handlers.onEnded()
  }

  #hear(message: FromHub, sharedBy: NonNullable<LinkInfo['sharedBy']>): void {
    this.#watch?.heard()
    switch (message.type) {
      case 'here':
        return this.#choose(message.hub)
      case 'open':
        this.info = { ...message.info, sharedBy }
        this.#isOpen = true
        return this.#opened.resolve()
      case 'info':
        this.info = { ...message.info, sharedBy }
        return
      case 'frame':
        return this.#link.receive(message.frame)
      case 'took':
        this.#waiting -= message.bytes
        if (this.#waiting <= HIGH_WATER_BYTES) this.#makeRoom()
        return
      case 'over':
        return this.#link.ended(message.reason)
    }
  }

  /** The first that answers. */
  #choose(hub: string): void {
    if (this.#hub === null) this.#port?.post({ type: 'ride', hub })
    this.#hub ??= hub
  }

  #makeRoom(): void {
    this.#room?.resolve()
    this.#room = null
  }

  /** The hub hears the reason before it can see that this end has gone. */
  #sayGoodbye(reason: CloseReason): void {
    const port = this.#port
    if (!port) return
    this.#watch?.heard()
    const timer = setTimeout(() => port.close(), FAREWELL_MS)
    port.listen(({ type }) => {
      if (type !== 'over') return
      clearTimeout(timer)
      port.close()
    })
    port.post({ type: 'close', reason })
  }

  #leave(): void {
    this.#watch?.heard()
    this.#port?.close()
  }
}

/** A view would be cloned with all that it is a view of. */
const whole = (frame: Uint8Array): Uint8Array<ArrayBuffer> =>
  frame.byteLength === frame.buffer.byteLength ? (frame as Uint8Array<ArrayBuffer>) : new Uint8Array(frame)
