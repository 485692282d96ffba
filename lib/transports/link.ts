/**
 * What all links have in common, at both ends: one close and nothing after it (T1), the limit of a frame (T6), and frames
 * kept for a sink that is not there yet. It knows no network.
 */
import type { CloseReason } from '../protocol/close.ts'
import { MAX_FRAME_BYTES } from '../protocol/limits.ts'
import { transportsStrings } from '../strings/transports.ts'
import type { Link, LinkInfo, Sink } from './transport.ts'
import { FrameTooLarge } from './transport.ts'

/** The network side of one end of a link. */
export interface LinkDriver {
  readonly info: LinkInfo
  write(frame: Uint8Array): Promise<void>
  /** Releases everything. Called once. With `here`, this side ended the link, and the other side still needs the reason. */
  end(reason: CloseReason, side: 'here' | 'there'): void
}

/** The frame is handed over already. Most frames share this one promise. */
export const SENT: Promise<void> = Promise.resolve()

/** Bytes that may wait in a driver's own buffers before `send` makes its caller wait. */
export const HIGH_WATER_BYTES = 64 * 1024

export class LinkEnd implements Link {
  readonly #driver: LinkDriver
  #sink: Sink | undefined
  #reason: CloseReason | undefined
  #earlyFrames: Uint8Array<ArrayBuffer>[] = []

  constructor(driver: LinkDriver) {
    this.#driver = driver
  }

  get info(): LinkInfo {
    return this.#driver.info
  }

  get closed(): boolean {
    return this.#reason !== undefined
  }

  send(frame: Uint8Array): Promise<void> {
    if (frame.byteLength > MAX_FRAME_BYTES) {
      return Promise.reject(new FrameTooLarge(frame.byteLength, MAX_FRAME_BYTES))
    }
    return this.#reason ? SENT : this.#driver.write(frame)
  }

  close(reason: CloseReason): void {
    this.#end(reason, 'here')
  }

  /** For the driver: one frame arrived. */
  receive(frame: Uint8Array<ArrayBuffer>): void {
    if (this.#reason) return
    if (frame.byteLength > MAX_FRAME_BYTES) {
      const detail = transportsStrings.details.frameTooLarge(frame.byteLength, MAX_FRAME_BYTES)
      return this.close({ code: 'too-large', detail })
    }
    if (this.#sink) this.#sink.onFrame(frame)
    else this.#earlyFrames.push(frame)
  }

  /** For the driver: the other side or the network ended the link. */
  onEnded(reason: CloseReason): void {
    this.#end(reason, 'there')
  }

  /** Sets the sink, and gives it the frames that arrived before. */
  attach(sink: Sink): void {
    this.#sink = sink
    for (const frame of this.#earlyFrames.splice(0)) if (!this.#reason) sink.onFrame(frame)
    if (this.#reason) this.#notifyClosed(this.#reason)
  }

  #end(reason: CloseReason, side: 'here' | 'there'): void {
    if (this.#reason) return
    this.#reason = reason
    this.#driver.end(reason, side)
    this.#notifyClosed(reason)
  }

  #notifyClosed(reason: CloseReason): void {
    this.#sink?.onClosed(reason)
  }
}
