/**
 * What all links have in common, at both ends: one close and nothing after it (T1), the limit of a frame (T6), and frames
 * kept for a sink that is not there yet. Does not know any wire.
 */
import type { CloseReason } from '../protocol/close.ts'
import { MAX_FRAME_BYTES } from '../protocol/limits.ts'
import { strings } from '../strings/transports.ts'
import type { Link, LinkInfo, Sink } from './transport.ts'
import { FrameTooLarge } from './transport.ts'

/** One end's hold on the network. */
export interface LinkDriver {
  readonly info: LinkInfo
  write(frame: Uint8Array): Promise<void>
  /** Lets go of everything. Called once; where `here`, this side ended the link and the other side is still to be told. */
  end(reason: CloseReason, side: 'here' | 'there'): void
}

/** Handed over already. One promise for all: most frames need no other. */
export const SENT: Promise<void> = Promise.resolve()

/** Bytes that may wait in a wire's own buffers before `send` makes its caller wait. */
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

  /** For the wire: one frame arrived. */
  receive(frame: Uint8Array<ArrayBuffer>): void {
    if (this.#reason) return
    if (frame.byteLength > MAX_FRAME_BYTES) {
      const detail = strings.details.frameTooLarge(frame.byteLength, MAX_FRAME_BYTES)
      return this.close({ code: 'too-large', detail })
    }
    if (this.#sink) this.#sink.onFrame(frame)
    else this.#earlyFrames.push(frame)
  }

  /** For the wire: the other side or the network ended it. */
  onEnded(reason: CloseReason): void {
    this.#end(reason, 'there')
  }

  /** Gives the sink what came before it. */
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
