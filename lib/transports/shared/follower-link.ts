/**
 * A link that uses the one which the leader, a window of this browser, holds. If the leader changes before the first answer, it
 * connects again; once it is open, it ends with its leader (T3).
 */
import type { CloseReason } from '../../protocol/close.ts'
import { SENT, HIGH_WATER_BYTES, LinkEnd, type LinkDriver } from '../link.ts'
import { abortedOpening } from '../opening.ts'
import type { Link, LinkInfo, Sink, TransportId } from '../transport.ts'
import { TransportError } from '../transport.ts'
import type { LeaderMessage, FollowerPort } from './port.ts'
import { LeaderMonitor } from './leader-monitor.ts'

/** How long to wait for the leader's `over`: until then the window counts as a follower. */
const CLOSE_TIMEOUT_MS = 1_000

interface FollowerLinkHandlers {
  answerTimeoutMs(): number
  /** The leader does not answer. */
  onSilent(): void
  onEnded(): void
}

export class FollowerLink implements LinkDriver {
  info: LinkInfo
  readonly #link = new LinkEnd(this)
  readonly #handlers: FollowerLinkHandlers
  readonly #opened = Promise.withResolvers<void>()
  #leaderMonitor: LeaderMonitor | null = null
  #port: FollowerPort | null = null
  #leaderId: string | null = null
  #isOpen = false
  #endError: TransportError | null = null
  #waitingBytes = 0
  #room: PromiseWithResolvers<void> | null = null

  constructor(transport: TransportId, handlers: FollowerLinkHandlers) {
    this.info = { transport, protocol: '', up: 'batched posts' }
    this.#handlers = handlers
    this.#opened.promise.catch(() => {})
  }

  get isConnected(): boolean {
    return this.#port !== null
  }

  async open(sink: Sink, signal: AbortSignal): Promise<Link> {
    const onAbort = (): void => this.#link.close(abortedOpening(signal).reason)
    signal.addEventListener('abort', onAbort)
    try {
      if (signal.aborted) onAbort()
      await this.#opened.promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
    // The link may have ended between that promise and this line.
    if (this.#endError) throw this.#endError
    this.#link.attach(sink)
    return this.#link
  }

  /** @param sharedBy The leader. Another window as leader is monitored. */
  connect(port: FollowerPort, sharedBy: NonNullable<LinkInfo['sharedBy']>): void {
    if (this.#isOpen || this.#link.closed) return port.close()
    this.#closePort()
    this.#port = port
    this.#leaderId = null
    this.#leaderMonitor =
      sharedBy === 'another window'
        ? new LeaderMonitor({
            answerTimeoutMs: () => this.#handlers.answerTimeoutMs(),
            sendPing: () => port.post({ type: 'ask' }),
            onSilent: () => this.#handlers.onSilent(),
          })
        : null
    port.listen((message) => this.#receive(message, sharedBy))
    // The call that announces this follower counts as a ping.
    this.#leaderMonitor?.onPing()
  }

  /** Pings at once, when the window comes into view. */
  pingLeader(): void {
    this.#leaderMonitor?.ping()
  }

  /** Gives up an opening before its deadline, which would blame the network. An open link waits. */
  giveUpOpening(reason: CloseReason): void {
    if (!this.#isOpen) this.#link.onEnded(reason)
  }

  /** Another window leads now. Returns true if this link must connect again. */
  onLeaderChange(reason: CloseReason): boolean {
    if (this.#isOpen) this.#link.onEnded(reason)
    return !this.#link.closed
  }

  write(frame: Uint8Array): Promise<void> {
    this.#port?.post({ type: 'frame', frame: withOwnBuffer(frame) })
    this.#leaderMonitor?.onSent()
    this.#waitingBytes += frame.byteLength
    return this.#waitingBytes > HIGH_WATER_BYTES ? (this.#room ??= Promise.withResolvers()).promise : SENT
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    this.#endError = new TransportError(reason)
    this.#opened.reject(this.#endError)
    this.#makeRoom()
    if (side === 'here') this.#sendClose(reason)
    else this.#closePort()
    this.#handlers.onEnded()
  }

  #receive(message: LeaderMessage, sharedBy: NonNullable<LinkInfo['sharedBy']>): void {
    this.#leaderMonitor?.onReceived()
    switch (message.type) {
      case 'here':
        return this.#chooseLeader(message.hub)
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
        this.#waitingBytes -= message.bytes
        if (this.#waitingBytes <= HIGH_WATER_BYTES) this.#makeRoom()
        return
      case 'over':
        return this.#link.onEnded(message.reason)
    }
  }

  /** The first leader that answers is chosen. */
  #chooseLeader(leaderId: string): void {
    if (this.#leaderId === null) this.#port?.post({ type: 'ride', hub: leaderId })
    this.#leaderId ??= leaderId
  }

  #makeRoom(): void {
    this.#room?.resolve()
    this.#room = null
  }

  /** The leader receives the reason before it can notice that this end is gone. */
  #sendClose(reason: CloseReason): void {
    const port = this.#port
    if (!port) return
    this.#leaderMonitor?.onReceived()
    const timer = setTimeout(() => port.close(), CLOSE_TIMEOUT_MS)
    port.listen(({ type }) => {
      if (type !== 'over') return
      clearTimeout(timer)
      port.close()
    })
    port.post({ type: 'close', reason })
  }

  #closePort(): void {
    this.#leaderMonitor?.onReceived()
    this.#port?.close()
  }
}

/** Copies a view: otherwise the whole buffer behind it would be cloned. */
const withOwnBuffer = (frame: Uint8Array): Uint8Array<ArrayBuffer> =>
  frame.byteLength === frame.buffer.byteLength ? (frame as Uint8Array<ArrayBuffer>) : new Uint8Array(frame)
