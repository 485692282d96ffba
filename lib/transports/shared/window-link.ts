/**
 * A window's end of a sub-link that the worker carries.
 *
 *   asked ──here──▶ answered ──open──▶ open ──closed, or the worker is gone──▶ ended
 */
import type { CloseReason } from '../../protocol/close.ts'
import { SENT, HIGH_WATER_BYTES, LinkEnd, type LinkDriver } from '../link.ts'
import { abortedOpening } from '../opening.ts'
import type { Link, LinkInfo, Sink, TransportId } from '../transport.ts'
import { TransportError } from '../transport.ts'
import type { PortLike, WindowMessage, WorkerMessage } from './worker-messages.ts'

export class WindowLink implements LinkDriver {
  info: LinkInfo
  /** Resolves to the id of the worker's lock. */
  readonly whenAnswered: Promise<string>
  readonly whenEnded: Promise<void>
  readonly #link = new LinkEnd(this)
  readonly #port: PortLike
  readonly #answered = Promise.withResolvers<string>()
  readonly #opened = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  #endError: TransportError | null = null
  #waitingBytes = 0
  #room: PromiseWithResolvers<void> | null = null

  constructor(transport: TransportId, port: PortLike) {
    this.info = { transport, protocol: '', up: 'batched posts', shared: true }
    this.whenAnswered = this.#answered.promise
    this.whenEnded = this.#ended.promise
    this.#opened.promise.catch(() => {})
    this.#port = port
    port.addEventListener('message', ({ data }) => this.#receive(data as WorkerMessage))
    port.start()
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

  close(reason: CloseReason): void {
    this.#link.close(reason)
  }

  onWorkerGone(): void {
    this.#link.onEnded({ code: 'handed-over' })
  }

  write(frame: Uint8Array): Promise<void> {
    this.#post({ type: 'frame', frame: withOwnBuffer(frame) })
    this.#waitingBytes += frame.byteLength
    return this.#waitingBytes > HIGH_WATER_BYTES ? (this.#room ??= Promise.withResolvers()).promise : SENT
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    this.#endError = new TransportError(reason)
    this.#opened.reject(this.#endError)
    this.#makeRoom()
    if (side === 'here') this.#post({ type: 'close', reason })
    this.#port.close()
    this.#ended.resolve()
  }

  #receive(message: WorkerMessage): void {
    switch (message.type) {
      case 'here':
        return this.#answered.resolve(message.worker)
      case 'open':
        this.#setInfo(message.info)
        return this.#opened.resolve()
      case 'info':
        return this.#setInfo(message.info)
      case 'frame':
        return this.#link.receive(message.frame)
      case 'sent':
        this.#waitingBytes -= message.bytes
        if (this.#waitingBytes <= HIGH_WATER_BYTES) this.#makeRoom()
        return
      case 'closed':
        return this.#link.onEnded(message.reason)
    }
  }

  #setInfo(info: LinkInfo): void {
    this.info = { ...info, shared: true }
  }

  #makeRoom(): void {
    this.#room?.resolve()
    this.#room = null
  }

  #post(message: WindowMessage): void {
    this.#port.postMessage(message)
  }
}

/** Copies a view: otherwise the whole buffer behind it would be cloned. */
const withOwnBuffer = (frame: Uint8Array): Uint8Array<ArrayBuffer> =>
  frame.byteLength === frame.buffer.byteLength ? (frame as Uint8Array<ArrayBuffer>) : new Uint8Array(frame)
