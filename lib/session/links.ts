/**
 * The links of one session: one attempt at a time, one link current, the one before it draining (S4). Falls back, comes back
 * after a loss (S8), and tries better transports in the background (S5). What follows what is the table in `machine.ts`; which
 * transport is `choose.ts`' affair. Does not know what the messages say.
 *
 *   candidate ──welcome──▶ current ──relieved──▶ draining ──drained or 5 s──▶ closed
 */
import type { CloseReason } from '../protocol/close.ts'
import { fateOf } from '../protocol/close.ts'
import { ProtocolError } from '../protocol/wire.ts'
import { strings } from '../strings/transports.ts'
import type { Decision, TransportChoice } from '../transports/choose.ts'
import { STEADY_MS } from '../transports/evidence.ts'
import type { Target, Transport, TransportId } from '../transports/transport.ts'
import { TransportError } from '../transports/transport.ts'
import { Candidate, type CandidateEvents, type Purpose } from './candidate.ts'
import { Chooser } from './chooser.ts'
import type { Clock } from './clock.ts'
import { Draining } from './draining.ts'
import type { LiveLink } from './live-link.ts'
import { Garbled } from './garbled.ts'
import type { LinkEvent, LinkState } from './machine.ts'
import { step } from './machine.ts'
import { LinkRecord } from './record.ts'
import { nextDelay } from './retry.ts'

export interface LinksOptions {
  /** What this side can do, in the order of preference. */
  readonly transports: ReadonlyMap<TransportId, Transport>
  readonly target: Target
  readonly wanted: TransportChoice
  readonly clock: Clock
}

export interface LinksHandlers {
  /** Say hello. `relief` is true while another link is still in use. */
  onOpened(link: LiveLink, relief: boolean): void
  /** Anything arrived, be it a piece of a message. */
  onHeard(): void
  /** Whole messages, in order. May throw ProtocolError, which closes the link. */
  onMessages(link: LiveLink, messages: Uint8Array): void
  onChange(): void
}

export class Links {
  readonly record: LinkRecord
  readonly chooser: Chooser
  readonly #options: LinksOptions
  readonly #handlers: LinksHandlers
  readonly #clock: Clock
  #switchesAsked = 0
  readonly #garbled = new Garbled()
  #state: LinkState = { name: 'idle' }
  #current: LiveLink | null = null
  #provenAt = 0
  #candidate: Candidate | null = null
  readonly #draining: Draining
  /** Its streamed upload brings no acknowledgement. */
  #suspect: LiveLink | null = null
  #cancelRetry = () => {}
  #cancelProbe = () => {}

  constructor(options: LinksOptions, handlers: LinksHandlers) {
    this.#options = options
    this.#handlers = handlers
    this.#clock = options.clock
    this.record = new LinkRecord(options.clock)
    this.chooser = new Chooser([...options.transports.keys()], options.wanted)
    this.#draining = new Draining(options.clock)
  }

  get state(): LinkState {
    return this.#state
  }

  get current(): LiveLink | null {
    return this.#current
  }

  /** What was asked for. A better transport that is tried in the background is not. */
  get switchingTo(): TransportId | undefined {
    const asked = this.#candidate?.purpose === 'switch' ? this.#candidate.transport : undefined
    return this.#current ? asked : undefined
  }

  /** For deadlines: the session's own measurement, which before the first ping is the opening's; else what the platform saw. */
  get roundTripMs(): number | undefined {
    const { net, origin } = this.#options.target
    const { roundTripMs, openingMs } = this.record
    return roundTripMs ?? openingMs ?? net.roundTripMs(origin)
  }

  start(): void {
    this.#step({ type: 'start' })
    void this.#attempt(this.chooser.next(), 'link')
  }

  /** The window came back: do not sit out a wait, unless the server asked for it (S8). */
  hurry(): void {
    if (this.#state.name === 'waiting' && !this.#state.reason.retryAfterMs) this.#retry()
  }

  /** A person asks for it: a wait of our own ends, and an attempt that hangs begins anew. */
  tryNow(): void {
    if (this.#state.name !== 'connecting') this.hurry()
    else if (this.#candidate?.purpose !== 'switch') this.#attemptAnew()
  }

  /** What was found on the network before says nothing of this one: everything is tried anew, now. */
  networkChanged(): void {
    this.chooser.learn({ type: 'network changed', at: this.#clock.now() })
    this.hurry()
    if (this.#state.name === 'connecting' && this.#candidate?.purpose !== 'switch') this.#attemptAnew()
    this.#changed()
  }

  /** The server's doors. A pin on what has none is given up. */
  offeredByServer(offers: readonly TransportId[] | null): void {
    this.chooser.learn({ type: 'offered', offers })
    this.#changed()
  }

  /** Make-before-break. Rejects with a TransportError when the new link fails; then the old one goes on. */
  async switchTo(choice: TransportChoice): Promise<void> {
    const asked = ++this.#switchesAsked
    const decision = this.#decide(choice)
    this.#abandon({ code: 'done' })
    this.#changed()
    try {
      if (this.#current?.info.transport === decision.transport) this.chooser.settle()
      else await this.#switch(decision)
    } catch (error) {
      if (this.#current && asked === this.#switchesAsked) this.chooser.unsettle()
      throw error
    } finally {
      this.#changed()
    }
  }

  /** What goes up does not arrive, it seems: the same transport anew, by POSTs. */
  reopenWithPosts(): void {
    if (!this.#current || this.#candidate) return
    this.#suspect = this.#current
    const { transport } = this.#current.info
    void this.#attempt({ transport, streamedBody: false }, 'background')
  }

  /**
   * The same transport anew: what is to become of its links has changed. Where another one is under way, that will do. Resolves
   * when it is proven, at once without a link. @throws {TransportError} when it failed.
   */
  reopen(): Promise<void> {
    if (this.#candidate) return this.#candidate.outcome
    if (!this.#current) return Promise.resolve()
    const { transport } = this.#current.info
    return this.#attempt({ ...this.chooser.next(), transport }, 'background')
  }

  /** The server welcomed the session on this link: it is the current one now. */
  prove(link: LiveLink): void {
    const candidate = this.#candidate
    if (candidate?.link !== link) return
    this.#candidate = null
    this.record.moved(candidate.transport, this.#whyMoved(candidate))
    this.#relieve(this.#current)
    this.#current = link
    this.#provenAt = this.#clock.now()
    this.chooser.settle()
    this.record.opened += 1
    this.chooser.learn({ type: 'proven', transport: candidate.transport, at: this.#clock.now() })
    this.record.endGap()
    this.#step({ type: 'proven' })
    candidate.succeed()
  }

  #whyMoved({ purpose, transport }: Candidate): string {
    const { moves } = strings
    if (purpose === 'switch') return moves.chosen
    if (!this.#current) return moves.opened
    if (this.#suspect === this.#current) return moves.uploadHeldBack
    return transport === this.#current.info.transport ? moves.openedAgain : moves.better
  }

  /** The old link said its last: so it lived, and it was its upload that was held back. */
  drained(link: LiveLink): void {
    if (link === this.#suspect) this.chooser.learn({ type: 'upload held back' })
    this.#draining.end(link)
  }

  /** Takes a link out of use, as when it fell silent. */
  drop(link: LiveLink, reason: CloseReason): void {
    link.close(reason)
  }

  dropDraining(): void {
    this.#draining.endAll()
  }

  stop(reason: CloseReason): void {
    this.#cancelRetry()
    this.#abandon({ code: 'done' })
    this.#step({ type: 'stop', reason })
    this.#draining.endAll()
    this.#current?.close(reason)
  }

  // Attempts

  #decide(choice: TransportChoice): Decision {
    if (choice !== 'automatic' && !this.chooser.offered.includes(choice))
      throw new TransportError({ code: 'refused', detail: strings.details.notOfferedHere(choice) })
    this.chooser.want(choice)
    return this.chooser.next()
  }

  #switch(decision: Decision): Promise<void> {
    if (this.#state.name === 'stopped') return Promise.reject(new TransportError(this.#state.reason))
    if (this.#state.name === 'waiting') {
      this.#cancelRetry()
      this.#step({ type: 'due' })
    }
    return this.#attempt(decision, 'switch')
  }

  #attempt({ transport, streamedBody }: Omit<Decision, 'atOnce'>, purpose: Purpose): Promise<void> {
    this.#cancelProbe()
    const candidate = new Candidate(
      {
        transport,
        purpose,
        clock: this.#clock,
        traffic: this.record.traffic,
        roundTripMs: () => this.roundTripMs,
        patient: purpose === 'background' || this.chooser.exhausted,
      },
      this.#events,
    )
    this.#candidate = candidate
    this.chooser.learn({ type: 'opening', transport, at: this.#clock.now() })
    candidate.open(this.#options.transports.get(transport)!, { ...this.#options.target, streamedBody })
    return candidate.outcome
  }

  #attemptAnew(): void {
    this.#abandon({ code: 'done' })
    void this.#attempt(this.chooser.next(), 'link')
  }

  #abandon(reason: CloseReason): void {
    const candidate = this.#candidate
    this.#candidate = null
    candidate?.giveUp(reason)
  }

  readonly #events: CandidateEvents = {
    onOpened: (candidate, link) => {
      if (this.#candidate === candidate) this.#handlers.onOpened(link, this.#current !== null)
    },
    onFrame: (link, frame) => this.#onFrame(link, frame),
    onFailed: (candidate, reason) => this.#onFailed(candidate, reason),
    onClosed: (candidate, reason) => {
      const { link } = candidate
      if (link && this.#draining.forget(link)) return
      if (link && this.#current === link) this.#onLost(link, reason)
      else this.#onFailed(candidate, reason)
    },
  }

  #onFrame(link: LiveLink, frame: Uint8Array): void {
    if (link === this.#current) this.#handlers.onHeard()
    try {
      const messages = link.receive(frame)
      if (messages) this.#handlers.onMessages(link, messages)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      link.close(error.reason)
    }
  }

  #onFailed(candidate: Candidate, given: CloseReason): void {
    if (this.#candidate !== candidate) return
    const reason = this.#garbled.judge(given)
    const { transport, link } = candidate
    this.#abandon(reason)
    this.chooser.learn({ type: 'failed', transport, at: this.#clock.now(), reason, opened: link !== null })
    if (this.#state.name !== 'connecting') return this.#changed()
    this.#goOn('failed', reason, false)
  }

  #onLost({ info: { transport } }: LiveLink, given: CloseReason): void {
    const steady = this.#clock.now() - this.#provenAt >= STEADY_MS
    if (steady) this.#garbled.forget()
    const reason = this.#garbled.judge(given)
    this.#current = null
    this.record.beginGap(reason)
    this.chooser.learn({ type: 'lost', transport, at: this.#clock.now(), reason })
    if (this.#candidate && fateOf(reason) === 'retry') this.#step({ type: 'onward', steady })
    else this.#goOn('lost', reason, steady)
  }

  // Going on without a link

  #goOn(type: 'failed' | 'lost', reason: CloseReason, steady: boolean): void {
    if (fateOf(reason) !== 'retry') return this.stop(reason)
    const next = this.chooser.next()
    if (!next.atOnce) return this.#wait(type, reason, steady)
    this.#step({ type: 'onward', steady })
    void this.#attempt(next, 'link')
  }

  #wait(type: 'failed' | 'lost', reason: CloseReason, steady: boolean): void {
    const { state } = this
    const attempt = 'attempt' in state && !steady ? state.attempt : 0
    const delay = nextDelay({ attempt, reason, random: this.#clock.random() })
    this.#cancelRetry = this.#clock.after(delay, () => this.#retry())
    this.#step({ type, reason, retryAt: this.#clock.now() + delay, steady })
  }

  #retry(): void {
    this.#cancelRetry()
    this.chooser.learn({ type: 'waited' })
    this.#step({ type: 'due' })
    void this.#attempt(this.chooser.next(), 'link')
  }

  // With a link

  #relieve(link: LiveLink | null): void {
    if (!link) return
    this.record.switches += 1
    this.chooser.learn({ type: 'relieved', transport: link.info.transport, at: this.#clock.now() })
    this.#draining.add(link)
  }

  #probeInTime(): void {
    this.#cancelProbe()
    const probe = this.#current && !this.#candidate ? this.chooser.nextProbe : null
    if (!probe) return
    this.#cancelProbe = this.#clock.after(Math.max(0, probe.at - this.#clock.now()), () => {
      void this.#attempt(probe, 'background')
    })
  }

  #step(event: LinkEvent): void {
    this.#state = step(this.#state, event)
    this.#changed()
  }

  #changed(): void {
    this.#probeInTime()
    this.#handlers.onChange()
  }
}
