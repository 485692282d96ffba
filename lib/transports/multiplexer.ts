/**
 * Carries several sub-links over one link: each has a number of its own in the head of its frames
 * (protocol/multiplexed-frame.ts), and ends without ending the link. Both ends use it. Its callers decide which link carries
 * the sub-links, and who may open one.
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
import { transportsStrings } from '../strings/transports.ts'
import { LinkEnd, type LinkDriver } from './link.ts'
import type { Link, LinkInfo, Sink } from './transport.ts'

export interface MultiplexerOptions {
  /** The other side opened a sub-link. Left out where only this side opens them. */
  readonly accept?: (subLink: Link) => Sink
  /** The most sub-links that the other side may have open at once. */
  readonly limit?: number
  /** The last sub-link ended. */
  readonly onEmpty?: () => void
}

export class Multiplexer implements Sink {
  readonly #options: MultiplexerOptions
  readonly #subLinks = new Set<LinkEnd>()
  readonly #subLinksByNumber = new Map<number, LinkEnd>()
  #link!: Link
  /** Numbers only grow, so that a late frame of an ended sub-link is never taken for another's. */
  #latestNumber: number

  constructor(options: MultiplexerOptions = {}) {
    this.#options = options
    // Only the accepting side has a sub-link 0: the link itself, when the other side does not multiplex.
    this.#latestNumber = options.accept ? -1 : 0
  }

  /** Must be called before the first frame. */
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

  /** The other side learns of the sub-link from its first frame. */
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

  // Sub-links call the methods below.

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

  /** Sub-link 0 is the link itself. */
  sendLastFrame(number: number, reason: CloseReason): void {
    if (number === 0) this.#link.close(reason)
    else this.#link.send(encodeLastFrame(number, reason)).catch(() => {}) // The link has ended, which ends all its sub-links.
  }

  #receiveFrame(frame: Uint8Array<ArrayBuffer>, head: FrameHead): void {
    const subLink = this.#subLinksByNumber.get(head.subLink) ?? this.#acceptSubLink(head)
    if (!subLink) return
    if (head.last) subLink.onEnded(readLastReason(frame, head))
    else subLink.receive(head.subLink === 0 ? frame : renumberFrame(frame, head, 0))
  }

  #acceptSubLink({ subLink: number, last }: FrameHead): LinkEnd | undefined {
    const { accept, limit = Infinity } = this.#options
    if (!accept || last || number <= this.#latestNumber) return undefined // The sub-link has ended.
    this.#latestNumber = number
    if (this.#subLinks.size >= limit) {
      this.sendLastFrame(number, {
        code: 'overloaded',
        detail: transportsStrings.details.tooManySessions(limit),
      })
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
  /** Assigned with the first frame, since the other side accepts only growing numbers. */
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
      throw new ProtocolError(
        'bad-frame',
        'a session sends its frames with number 0, and none as the last of a sub-link',
      )
    this.#number ??= this.#multiplexer.assignNumber(this.link)
    return this.#multiplexer.sendFrame(this.#number === 0 ? frame : renumberFrame(frame, head, this.#number))
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    this.#multiplexer.removeSubLink(this.link, this.#number)
    if (this.#number !== undefined && side === 'here') this.#multiplexer.sendLastFrame(this.#number, reason)
  }
}
