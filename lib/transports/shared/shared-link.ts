/**
 * ONE link for several windows, held by the worker: it opens with the first window, and ends with the last one. It opens nothing again
 * (T3): when the link ends, all windows' sub-links end.
 *
 *   window ◀──port──▶ SharedPort ◀──sub-link──▶ Multiplexer ◀──▶ link
 */
import type { CloseReason } from '../../protocol/close.ts'
import { transportsStrings } from '../../strings/transports.ts'
import { HIGH_WATER_BYTES, type LinkEnd } from '../link.ts'
import { Multiplexer } from '../multiplexer.ts'
import type { Link, LinkInfo, LinkTarget, Sink, Transport } from '../transport.ts'
import { closeReasonOf } from '../transport.ts'
import type { PortLike, WindowMessage, WorkerMessage } from './worker-messages.ts'

/** Below the server's limit for a link, so that the server refuses no window. */
const MAX_WINDOWS = 60
/** Windows may always send their high-water mark less this. */
const CREDIT_BYTES = HIGH_WATER_BYTES / 4

export class SharedLink implements Sink {
  readonly #multiplexer = new Multiplexer()
  readonly #abort = new AbortController()
  readonly #ports = new Set<SharedPort>()
  readonly #onEnd: () => void
  #link: Link | null = null
  #hasEnded = false

  constructor(base: Transport, target: LinkTarget, onEnd: () => void) {
    this.#onEnd = onEnd
    base.open(target, this, this.#abort.signal).then(
      (link) => this.#onOpen(link),
      (error: unknown) => this.onClosed(closeReasonOf(error)),
    )
  }

  onFrame(frame: Uint8Array<ArrayBuffer>): void {
    this.#multiplexer.onFrame(frame)
  }

  onClosed(reason: CloseReason): void {
    if (!this.#end()) return
    this.#multiplexer.onClosed(reason)
    for (const port of this.#ports) port.end(reason)
  }

  // Ports call the methods below.

  add(port: SharedPort): void {
    if (this.#ports.size >= MAX_WINDOWS)
      return port.end({ code: 'refused', detail: transportsStrings.details.tooManyWindows(MAX_WINDOWS) })
    this.#ports.add(port)
    if (this.#link) port.attachTo(this.#multiplexer.openSubLink())
  }

  /** The link ends with its last window, for the same reason. */
  remove(port: SharedPort, reason: CloseReason): void {
    if (!this.#ports.delete(port) || this.#ports.size > 0 || !this.#end()) return
    this.#link?.close(reason)
    this.#abort.abort()
  }

  #onOpen(link: Link): void {
    if (this.#hasEnded) return link.close({ code: 'done' })
    this.#link = link
    this.#multiplexer.attachTo(link)
    for (const port of this.#ports) port.attachTo(this.#multiplexer.openSubLink())
  }

  /** Returns false if it has ended before. */
  #end(): boolean {
    if (this.#hasEnded) return false
    this.#hasEnded = true
    this.#onEnd()
    return true
  }
}

/** Passes frames between a window's port and its sub-link. */
export class SharedPort implements Sink {
  readonly #port: PortLike
  readonly #sharedLink: SharedLink
  readonly #onEnd: () => void
  #subLink: LinkEnd | null = null
  #postedInfo: LinkInfo | null = null
  #unreportedBytes = 0
  #hasEnded = false

  /** @param onEnd The sub-link has ended, for whatever reason. */
  constructor(port: PortLike, sharedLink: SharedLink, onEnd: () => void) {
    this.#port = port
    this.#sharedLink = sharedLink
    this.#onEnd = onEnd
    port.addEventListener('message', ({ data }) => this.#receive(data as WindowMessage))
    port.start()
    sharedLink.add(this)
  }

  attachTo(subLink: LinkEnd): void {
    this.#subLink = subLink
    this.#postedInfo = subLink.info
    this.#post({ type: 'open', info: subLink.info })
    subLink.attach(this)
  }

  onFrame(frame: Uint8Array<ArrayBuffer>): void {
    this.#postChangedInfo()
    this.#post({ type: 'frame', frame })
  }

  onClosed(reason: CloseReason): void {
    this.end(reason)
  }

  /** Ends the sub-link for either side: the server and the window receive the reason. */
  end(reason: CloseReason): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#sharedLink.remove(this, reason)
    this.#subLink?.close(reason)
    this.#post({ type: 'closed', reason })
    this.#port.close()
    this.#onEnd()
  }

  #receive(message: WindowMessage): void {
    if (this.#hasEnded) return
    if (message.type === 'close') this.end(message.reason)
    else void this.#send(message.frame)
  }

  async #send(frame: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      await this.#subLink?.send(frame)
    } catch (error) {
      return this.end({ code: 'lost', detail: String(error) })
    }
    this.#unreportedBytes += frame.byteLength
    if (this.#unreportedBytes < CREDIT_BYTES || this.#hasEnded) return
    this.#postChangedInfo()
    this.#post({ type: 'sent', bytes: this.#unreportedBytes })
    this.#unreportedBytes = 0
  }

  #postChangedInfo(): void {
    const info = this.#subLink?.info
    if (!info || (this.#postedInfo && isSame(info, this.#postedInfo))) return
    this.#postedInfo = info
    this.#post({ type: 'info', info })
  }

  #post(message: WorkerMessage): void {
    this.#port.postMessage(message)
  }
}

/** The info is read anew each time, and may be another object with the same values. */
const isSame = (one: LinkInfo, other: LinkInfo): boolean =>
  one.protocol === other.protocol && one.up === other.up
