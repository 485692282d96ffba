/**
 * Several links over one: each rides under a number of its own in the head of its frames (protocol/ride.ts), and leaves
 * without ending the link. Both ends use it. Whose link it is that carries them, and who may ride, others decide.
 */
import type { CloseReason } from '../protocol/close.ts'
import { type Head, isOwn, lastFrame, readHead, readLast, renumbered } from '../protocol/ride.ts'
import { ProtocolError } from '../protocol/wire.ts'
import { strings } from '../strings/transports.ts'
import { LinkEnd, type Wire } from './link.ts'
import type { Link, LinkInfo, Sink } from './transport.ts'

export interface RidesOptions {
  /** The other side began a ride. Left out where only this side begins them. */
  readonly accept?: (ride: Link) => Sink
  /** Most that the other side may begin at once. */
  readonly limit?: number
  /** The last ride left. */
  readonly onEmpty?: () => void
}

export class Rides implements Sink {
  readonly #options: RidesOptions
  readonly #rides = new Set<LinkEnd>()
  readonly #byNumber = new Map<number, LinkEnd>()
  #link!: Link
  /** Numbers only climb, so that a frame that was on its way when its ride left is never taken for another's. */
  #latest: number

  constructor(options: RidesOptions = {}) {
    this.#options = options
    // Ride 0 is for the side that is asked to accept.
    this.#latest = options.accept ? -1 : 0
  }

  /** Before the first frame. */
  carriedBy(link: Link): this {
    this.#link = link
    return this
  }

  get size(): number {
    return this.#rides.size
  }

  get info(): LinkInfo {
    return this.#link.info
  }

  /** The other side hears of it with its first frame. */
  begin(): LinkEnd {
    const { link } = new Ride(this)
    this.#rides.add(link)
    return link
  }

  onFrame(frame: Uint8Array<ArrayBuffer>): void {
    try {
      this.#hear(frame, readHead(frame))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.#link.close(error.reason)
    }
  }

  onClosed(reason: CloseReason): void {
    for (const ride of this.#rides) ride.ended(reason)
  }

  // For its rides.

  number(ride: LinkEnd): number {
    this.#latest += 1
    this.#byNumber.set(this.#latest, ride)
    return this.#latest
  }

  carry(frame: Uint8Array): Promise<void> {
    return this.#link.send(frame)
  }

  left(ride: LinkEnd, number: number | undefined): void {
    this.#rides.delete(ride)
    if (number !== undefined) this.#byNumber.delete(number)
    if (this.#rides.size === 0) this.#options.onEmpty?.()
  }

  /** Ride 0 is the link itself. */
  sayLast(number: number, reason: CloseReason): void {
    if (number === 0) this.#link.close(reason)
    else this.#link.send(lastFrame(number, reason)).catch(() => {}) // the link's end says as much
  }

  #hear(frame: Uint8Array<ArrayBuffer>, head: Head): void {
    const ride = this.#byNumber.get(head.ride) ?? this.#accept(head)
    if (!ride) return
    if (head.last) ride.ended(readLast(frame, head))
    else ride.receive(head.ride === 0 ? frame : renumbered(frame, head, 0))
  }

  #accept({ ride: number, last }: Head): LinkEnd | undefined {
    const { accept, limit = Infinity } = this.#options
    if (!accept || last || number <= this.#latest) return undefined // of a ride that left
    this.#latest = number
    if (this.#rides.size >= limit) {
      this.sayLast(number, { code: 'overloaded', detail: strings.details.tooManySessions(limit) })
      return undefined
    }
    const { link } = new Ride(this, number)
    this.#rides.add(link)
    this.#byNumber.set(number, link)
    link.attach(accept(link))
    return link
  }
}

class Ride implements Wire {
  readonly link = new LinkEnd(this)
  readonly #rides: Rides
  /** Given with the first frame: the other side takes higher numbers alone. */
  #number: number | undefined

  constructor(rides: Rides, number?: number) {
    this.#rides = rides
    this.#number = number
  }

  get info(): LinkInfo {
    return this.#rides.info
  }

  write(frame: Uint8Array): Promise<void> {
    try {
      return this.#carry(frame)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #carry(frame: Uint8Array): Promise<void> {
    if (this.#number === 0 && isOwn(frame)) return this.#rides.carry(frame)
    const head = readHead(frame)
    if (head.ride !== 0 || head.last) throw new ProtocolError('bad-frame', `a ride's own frame has number 0`)
    this.#number ??= this.#rides.number(this.link)
    return this.#rides.carry(this.#number === 0 ? frame : renumbered(frame, head, this.#number))
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    this.#rides.left(this.link, this.#number)
    if (this.#number !== undefined && side === 'here') this.#rides.sayLast(this.#number, reason)
  }
}
