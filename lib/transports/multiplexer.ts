/**
 * Several links over one: each rides under a number of its own in the head of its frames (protocol/ride.ts), and leaves
 * without ending the link. Both ends use it. Whose link it is that carries them, and who may ride, others decide.
 */
import type { CloseReason } from '../protocol/close.ts'
import {
  type FrameHead,
  isUnmultiplexedFrame,
  encodeLastFrame,
  readFrameHead,
  readLastReason,
  renumberFrame,
} from '../protocol/multiplexed-frame.ts'
import { ProtocolError } from '../protocol/wire.ts'
import { strings } from '../strings/transports.ts'
import { LinkEnd, type LinkDriver } from './link.ts'
import type { Link, LinkInfo, Sink } from './transport.ts'

export interface MultiplexerOptions {
  /** The other side began a ride. Left out where only this side begins them. */
  readonly accept?: (subLink: Link) => Sink
  /** Most that the other side may begin at once. */
  readonly limit?: number
  /** The last ride left. */
  readonly onEmpty?: () => void
}

export class Multiplexer implements Sink {
  readonly #options: MultiplexerOptions
  readonly #subLinks = new Set<LinkEnd>()
  readonly #subLinksByNumber = new Map<number, LinkEnd>()
  #link!: Link
  /** Numbers only climb, so that a frame that was on its way when its ride left is never taken for another's. */
  #latestNumber: number

  constructor(options: MultiplexerOptions = {}) {
    this.#options = options
    // Ride 0 is for the side that is asked to accept.
    this.#latestNumber = options.accept ? -1 : 0
  }

  /** Before the first frame. */
  attachTo(link: Link): this {
    this.#link = link
    return this
  }

  get size(): number {
    return this.#subLinks.size
  }

  get info(): LinkInfo {
    return this.#link.info
  }

  /** The other side hears of it with its first frame. */
  openSubLink(): LinkEnd {
    const { link } = new SubLink(this)
    this.#subLinks.add(link)
    return link
  }

  onFrame(frame: Uint8Array<ArrayBuffer>): void {
    try {
      this.#receiveFrame(frame, readFrameHead(frame))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.#link.close(error.reason)
    }
  }

  onClosed(reason: CloseReason): void {
    for (const subLink of this.#subLinks) subLink.onEnded(reason)
  }

  // For its rides.

  assignNumber(subLink: LinkEnd): number {
    this.#latestNumber += 1
    this.#subLinksByNumber.set(this.#latestNumber, subLink)
    return this.#latestNumber
  }

  sendFrame(frame: Uint8Array): Promise<void> {
    return this.#link.send(frame)
  }

  removeSubLink(subLink: LinkEnd, number: number | undefined): void {
    this.#subLinks.delete(subLink)
    if (number !== undefined) this.#subLinksByNumber.delete(number)
    if (this.#subLinks.size === 0) this.#options.onEmpty?.()
  }

  /** Ride 0 is the link itself. */
  sendLastFrame(number: number, reason: CloseReason): void {
    if (number === 0) this.#link.close(reason)
    else this.#link.send(encodeLastFrame(number, reason)).catch(() => {}) // the link's end says as much
  }

  #receiveFrame(frame: Uint8Array<ArrayBuffer>, head: FrameHead): void {
    const subLink = this.#subLinksByNumber.get(head.subLink) ?? this.#acceptSubLink(head)
    if (!subLink) return
    if (head.last) subLink.onEnded(readLastReason(frame, head))
    else subLink.receive(head.subLink === 0 ? frame : renumberFrame(frame, head, 0))
  }

  #acceptSubLink({ subLink: number, last }: FrameHead): LinkEnd | undefined {
    const { accept, limit = Infinity } = this.#options
    if (!accept || last || number <= this.#latestNumber) return undefined // of a ride that left
    this.#latestNumber = number
    if (this.#subLinks.size >= limit) {
      this.sendLastFrame(number, { code: 'overloaded', detail: strings.details.tooManySessions(limit) })
      return undefined
    }
    const { link } = new SubLink(this, number)
    this.#subLinks.add(link)
    this.#subLinksByNumber.set(number, link)
    link.attach(accept(link))
    return link
  }
}

class SubLink implements LinkDriver {
  readonly link = new LinkEnd(this)
  readonly #multiplexer: Multiplexer
  /** Given with the first frame: the other side takes higher numbers alone. */
  #number: number | undefined

  constructor(multiplexer: Multiplexer, number?: number) {
    this.#multiplexer = multiplexer
    this.#number = number
  }

  get info(): LinkInfo {
    return this.#multiplexer.info
  }

  write(frame: Uint8Array): Promise<void> {
    try {
      return this.#sendNumbered(frame)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #sendNumbered(frame: Uint8Array): Promise<void> {
    if (this.#number === 0 && isUnmultiplexedFrame(frame)) return this.#multiplexer.sendFrame(frame)
    const head = readFrameHead(frame)
    if (head.subLink !== 0 || head.last)
      throw new ProtocolError('bad-frame', `a ride's own frame has number 0`)
    this.#number ??= this.#multiplexer.assignNumber(this.link)
    return this.#multiplexer.sendFrame(this.#number === 0 ? frame : renumberFrame(frame, head, this.#number))
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    this.#multiplexer.removeSubLink(this.link, this.#number)
    if (this.#number !== undefined && side === 'here') this.#multiplexer.sendLastFrame(this.#number, reason)
  }
}
