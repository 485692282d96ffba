/**
 * The links of one session: one attempt at a time, one current link, and former ones that drain (S4). It falls back, comes
 * back after a loss (S8), and tries better transports in the background (S5). The table in `link-state.ts` decides the next
 * state, and `TransportChooser` the transport. It does not know what messages say.
 *
 *   candidate ──welcome──▶ current ──replaced──▶ draining ──drained or 5 s──▶ closed
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
  /** The transports that this side can use, in the order of preference. */
  readonly transports: ReadonlyMap<TransportId, Transport>
  readonly target: LinkTarget
  readonly wanted: TransportChoice
  readonly clock: Clock
}

export interface LinksHandlers {
  /** The receiver sends its hello. `isTakeover` is true while another link is still in use. */
  onOpened(link: FramedLink, isTakeover: boolean): void
  /** Bytes arrived, perhaps only a piece of a message. */
  onReceived(): void
  /** Whole messages arrived, in order. May throw a ProtocolError, which closes the link. */
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
  /** The link whose streamed upload brings no acknowledgement. */
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

  /** The transport of a requested switch, not of a better one that is tried in the background. */
  get switchingTo(): TransportId | undefined {
    const requested = this.#candidate?.purpose === 'switch' ? this.#candidate.transport : undefined
    return this.#current ? requested : undefined
  }

  /** For deadlines: measured by ping, before the first ping by the opening of the link, otherwise by the platform. */
  get roundTripMs(): number | undefined {
    const { net, origin } = this.#options.target
    const { roundTripMs, openingMs } = this.record
    return roundTripMs ?? openingMs ?? net.roundTripMs(origin)
  }

  start(): void {
    this.#applyEvent({ type: 'start' })
    void this.#startAttempt(this.chooser.decide(), 'link')
  }

  /** The window came back: ends a wait, unless the server asked for it (S8). */
  skipWait(): void {
    if (this.#state.name === 'waiting' && !this.#state.reason.retryAfterMs) this.#retry()
  }

  /** A person asks for it: ends a wait that the server did not ask for, and begins a hanging attempt anew. */
  tryNow(): void {
    if (this.#state.name !== 'connecting') this.skipWait()
    else if (this.#candidate?.purpose !== 'switch') this.#restartAttempt()
  }

  /** Evidence from the old network says nothing about the new one: everything is tried anew, at once. */
  onNetworkChange(): void {
    this.chooser.recordEvent({ type: 'network changed', at: this.#clock.now() })
    this.skipWait()
    if (this.#state.name === 'connecting' && this.#candidate?.purpose !== 'switch') this.#restartAttempt()
    this.#notifyChange()
  }

  /** The server named the transports that it offers. A pin on any other is given up. */
  onOffers(offers: readonly TransportId[] | null): void {
    this.chooser.recordEvent({ type: 'offered', offers })
    this.#notifyChange()
  }

  /** Make-before-break. Rejects with a TransportError when the new link fails; the old one then stays in use. */
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

  /** Opens the same transport anew with POSTs: sent frames do not seem to arrive. */
  reopenWithPosts(): void {
    if (!this.#current || this.#candidate) return
    this.#suspectLink = this.#current
    const { transport } = this.#current.info
    void this.#startAttempt({ transport, streamedBody: false }, 'background')
  }

  /**
   * Opens the same transport anew, because the settings of its links have changed. An attempt under way will do. Resolves when it
   * is proven, at once without a link. @throws {TransportError} when it failed.
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

  /** The old link delivered its last frame. So it was alive, and its upload was what was held back. */
  onDrained(link: FramedLink): void {
    if (link === this.#suspectLink) this.chooser.recordEvent({ type: 'upload held back' })
    this.#drainingLinks.close(link)
  }

  /** Takes a link out of use, for example when it fell silent. */
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

  // Continuing without a link

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
