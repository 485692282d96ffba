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
import type { TransportDecision, TransportChoice } from '../transports/choose-transport.ts'
import { STEADY_MS } from '../transports/evidence.ts'
import type { LinkTarget, Transport, TransportId } from '../transports/transport.ts'
import { TransportError } from '../transports/transport.ts'
import { Candidate, type CandidateEvents, type AttemptPurpose } from './candidate.ts'
import { TransportChooser } from './transport-chooser.ts'
import type { Clock } from './clock.ts'
import { DrainingLinks } from './draining-links.ts'
import type { FramedLink } from './framed-link.ts'
import { DecodeErrorBudget } from './decode-error-budget.ts'
import type { LinkEvent, LinkState } from './link-state.ts'
import { nextLinkState } from './link-state.ts'
import { LinkRecord } from './link-record.ts'
import { retryDelayMs } from './retry-delay.ts'

export interface LinksOptions {
  /** What this side can do, in the order of preference. */
  readonly transports: ReadonlyMap<TransportId, Transport>
  readonly target: LinkTarget
  readonly wanted: TransportChoice
  readonly clock: Clock
}

export interface LinksHandlers {
  /** Say hello. `relief` is true while another link is still in use. */
  onOpened(link: FramedLink, isTakeover: boolean): void
  /** Anything arrived, be it a piece of a message. */
  onReceived(): void
  /** Whole messages, in order. May throw ProtocolError, which closes the link. */
  onMessages(link: FramedLink, messages: Uint8Array): void
  onChange(): void
}

export class Links {
  readonly record: LinkRecord
  readonly chooser: TransportChooser
  readonly #options: LinksOptions
  readonly #handlers: LinksHandlers
  readonly #clock: Clock
  #switchRequests = 0
  readonly #decodeErrorBudget = new DecodeErrorBudget()
  #state: LinkState = { name: 'idle' }
  #current: FramedLink | null = null
  #provenAt = 0
  #candidate: Candidate | null = null
  readonly #drainingLinks: DrainingLinks
  /** Its streamed upload brings no acknowledgement. */
  #suspectLink: FramedLink | null = null
  #cancelRetry = () => {}
  #cancelProbe = () => {}

  constructor(options: LinksOptions, handlers: LinksHandlers) {
    this.#options = options
    this.#handlers = handlers
    this.#clock = options.clock
    this.record = new LinkRecord(options.clock)
    this.chooser = new TransportChooser([...options.transports.keys()], options.wanted)
    this.#drainingLinks = new DrainingLinks(options.clock)
  }

  get state(): LinkState {
    return this.#state
  }

  get current(): FramedLink | null {
    return this.#current
  }

  /** What was asked for. A better transport that is tried in the background is not. */
  get switchingTo(): TransportId | undefined {
    const requested = this.#candidate?.purpose === 'switch' ? this.#candidate.transport : undefined
    return this.#current ? requested : undefined
  }

  /** For deadlines: the session's own measurement, which before the first ping is the opening's; else what the platform saw. */
  get roundTripMs(): number | undefined {
    const { net, origin } = this.#options.target
    const { roundTripMs, openingMs } = this.record
    return roundTripMs ?? openingMs ?? net.roundTripMs(origin)
  }

  start(): void {
    this.#applyEvent({ type: 'start' })
    void this.#startAttempt(this.chooser.decide(), 'link')
  }

  /** The window came back: do not sit out a wait, unless the server asked for it (S8). */
  skipWait(): void {
    if (this.#state.name === 'waiting' && !this.#state.reason.retryAfterMs) this.#retry()
  }

  /** A person asks for it: a wait of our own ends, and an attempt that hangs begins anew. */
  tryNow(): void {
    if (this.#state.name !== 'connecting') this.skipWait()
    else if (this.#candidate?.purpose !== 'switch') this.#restartAttempt()
  }

  /** What was found on the network before says nothing of this one: everything is tried anew, now. */
  onNetworkChange(): void {
    this.chooser.recordEvent({ type: 'network changed', at: this.#clock.now() })
    this.skipWait()
    if (this.#state.name === 'connecting' && this.#candidate?.purpose !== 'switch') this.#restartAttempt()
    this.#notifyChange()
  }

  /** The server's doors. A pin on what has none is given up. */
  onOffers(offers: readonly TransportId[] | null): void {
    this.chooser.recordEvent({ type: 'offered', offers })
    this.#notifyChange()
  }

  /** Make-before-break. Rejects with a TransportError when the new link fails; then the old one goes on. */
  async switchTo(choice: TransportChoice): Promise<void> {
    const request = ++this.#switchRequests
    const decision = this.#decideTransport(choice)
    this.#abandonCandidate({ code: 'done' })
    this.#notifyChange()
    try {
      if (this.#current?.info.transport === decision.transport) this.chooser.confirmWanted()
      else await this.#startSwitch(decision)
    } catch (error) {
      if (this.#current && request === this.#switchRequests) this.chooser.revertWanted()
      throw error
    } finally {
      this.#notifyChange()
    }
  }

  /** What goes up does not arrive, it seems: the same transport anew, by POSTs. */
  reopenWithPosts(): void {
    if (!this.#current || this.#candidate) return
    this.#suspectLink = this.#current
    const { transport } = this.#current.info
    void this.#startAttempt({ transport, streamedBody: false }, 'background')
  }

  /**
   * The same transport anew: what is to become of its links has changed. Where another one is under way, that will do. Resolves
   * when it is proven, at once without a link. @throws {TransportError} when it failed.
   */
  reopen(): Promise<void> {
    if (this.#candidate) return this.#candidate.outcome
    if (!this.#current) return Promise.resolve()
    const { transport } = this.#current.info
    return this.#startAttempt({ ...this.chooser.decide(), transport }, 'background')
  }

  /** The server welcomed the session on this link: it is the current one now. */
  promote(link: FramedLink): void {
    const candidate = this.#candidate
    if (candidate?.link !== link) return
    this.#candidate = null
    this.record.addLinkChange(candidate.transport, this.#changeReason(candidate))
    this.#retireLink(this.#current)
    this.#current = link
    this.#provenAt = this.#clock.now()
    this.chooser.confirmWanted()
    this.record.opened += 1
    this.chooser.recordEvent({ type: 'proven', transport: candidate.transport, at: this.#clock.now() })
    this.record.endGap()
    this.#applyEvent({ type: 'proven' })
    candidate.onProven()
  }

  #changeReason({ purpose, transport }: Candidate): string {
    const { switchReasons } = strings
    if (purpose === 'switch') return switchReasons.chosen
    if (!this.#current) return switchReasons.opened
    if (this.#suspectLink === this.#current) return switchReasons.uploadHeldBack
    return transport === this.#current.info.transport ? switchReasons.openedAgain : switchReasons.better
  }

  /** The old link said its last: so it lived, and it was its upload that was held back. */
  onDrained(link: FramedLink): void {
    if (link === this.#suspectLink) this.chooser.recordEvent({ type: 'upload held back' })
    this.#drainingLinks.close(link)
  }

  /** Takes a link out of use, as when it fell silent. */
  closeLink(link: FramedLink, reason: CloseReason): void {
    link.close(reason)
  }

  closeDraining(): void {
    this.#drainingLinks.closeAll()
  }

  stop(reason: CloseReason): void {
    this.#cancelRetry()
    this.#abandonCandidate({ code: 'done' })
    this.#applyEvent({ type: 'stop', reason })
    this.#drainingLinks.closeAll()
    this.#current?.close(reason)
  }

  // Attempts

  #decideTransport(choice: TransportChoice): TransportDecision {
    if (choice !== 'automatic' && !this.chooser.offered.includes(choice))
      throw new TransportError({ code: 'refused', detail: strings.details.notOfferedHere(choice) })
    this.chooser.setWanted(choice)
    return this.chooser.decide()
  }

  #startSwitch(decision: TransportDecision): Promise<void> {
    if (this.#state.name === 'stopped') return Promise.reject(new TransportError(this.#state.reason))
    if (this.#state.name === 'waiting') {
      this.#cancelRetry()
      this.#applyEvent({ type: 'due' })
    }
    return this.#startAttempt(decision, 'switch')
  }

  #startAttempt(
    { transport, streamedBody }: Omit<TransportDecision, 'atOnce'>,
    purpose: AttemptPurpose,
  ): Promise<void> {
    this.#cancelProbe()
    const candidate = new Candidate(
      {
        transport,
        purpose,
        clock: this.#clock,
        traffic: this.record.traffic,
        roundTripMs: () => this.roundTripMs,
        hasExtraTime: purpose === 'background' || this.chooser.isExhausted,
      },
      this.#candidateEvents,
    )
    this.#candidate = candidate
    this.chooser.recordEvent({ type: 'opening', transport, at: this.#clock.now() })
    candidate.open(this.#options.transports.get(transport)!, { ...this.#options.target, streamedBody })
    return candidate.outcome
  }

  #restartAttempt(): void {
    this.#abandonCandidate({ code: 'done' })
    void this.#startAttempt(this.chooser.decide(), 'link')
  }

  #abandonCandidate(reason: CloseReason): void {
    const candidate = this.#candidate
    this.#candidate = null
    candidate?.giveUp(reason)
  }

  readonly #candidateEvents: CandidateEvents = {
    onOpened: (candidate, link) => {
      if (this.#candidate === candidate) this.#handlers.onOpened(link, this.#current !== null)
    },
    onFrame: (link, frame) => this.#onFrame(link, frame),
    onFailed: (candidate, reason) => this.#onFailed(candidate, reason),
    onClosed: (candidate, reason) => {
      const { link } = candidate
      if (link && this.#drainingLinks.remove(link)) return
      if (link && this.#current === link) this.#onLost(link, reason)
      else this.#onFailed(candidate, reason)
    },
  }

  #onFrame(link: FramedLink, frame: Uint8Array): void {
    if (link === this.#current) this.#handlers.onReceived()
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
    const reason = this.#decodeErrorBudget.downgrade(given)
    const { transport, link } = candidate
    this.#abandonCandidate(reason)
    this.chooser.recordEvent({
      type: 'failed',
      transport,
      at: this.#clock.now(),
      reason,
      opened: link !== null,
    })
    if (this.#state.name !== 'connecting') return this.#notifyChange()
    this.#continueWithoutLink('failed', reason, false)
  }

  #onLost({ info: { transport } }: FramedLink, given: CloseReason): void {
    const steady = this.#clock.now() - this.#provenAt >= STEADY_MS
    if (steady) this.#decodeErrorBudget.reset()
    const reason = this.#decodeErrorBudget.downgrade(given)
    this.#current = null
    this.record.beginGap(reason)
    this.chooser.recordEvent({ type: 'lost', transport, at: this.#clock.now(), reason })
    if (this.#candidate && fateOf(reason) === 'retry') this.#applyEvent({ type: 'onward', steady })
    else this.#continueWithoutLink('lost', reason, steady)
  }

  // Going on without a link

  #continueWithoutLink(type: 'failed' | 'lost', reason: CloseReason, steady: boolean): void {
    if (fateOf(reason) !== 'retry') return this.stop(reason)
    const next = this.chooser.decide()
    if (!next.atOnce) return this.#wait(type, reason, steady)
    this.#applyEvent({ type: 'onward', steady })
    void this.#startAttempt(next, 'link')
  }

  #wait(type: 'failed' | 'lost', reason: CloseReason, steady: boolean): void {
    const { state } = this
    const attempt = 'attempt' in state && !steady ? state.attempt : 0
    const delay = retryDelayMs({ attempt, reason, random: this.#clock.random() })
    this.#cancelRetry = this.#clock.after(delay, () => this.#retry())
    this.#applyEvent({ type, reason, retryAt: this.#clock.now() + delay, steady })
  }

  #retry(): void {
    this.#cancelRetry()
    this.chooser.recordEvent({ type: 'waited' })
    this.#applyEvent({ type: 'due' })
    void this.#startAttempt(this.chooser.decide(), 'link')
  }

  // With a link

  #retireLink(link: FramedLink | null): void {
    if (!link) return
    this.record.switches += 1
    this.chooser.recordEvent({ type: 'relieved', transport: link.info.transport, at: this.#clock.now() })
    this.#drainingLinks.add(link)
  }

  #scheduleProbe(): void {
    this.#cancelProbe()
    const probe = this.#current && !this.#candidate ? this.chooser.nextProbe : null
    if (!probe) return
    this.#cancelProbe = this.#clock.after(Math.max(0, probe.at - this.#clock.now()), () => {
      void this.#startAttempt(probe, 'background')
    })
  }

  #applyEvent(event: LinkEvent): void {
    this.#state = nextLinkState(this.#state, event)
    this.#notifyChange()
  }

  #notifyChange(): void {
    this.#scheduleProbe()
    this.#handlers.onChange()
  }
}
