/**
 * The links of one session: one attempt at a time, one link in use, and former ones that drain (S4). `link-state.ts` decides
 * what follows from what happens, and `TransportChooser` which transport is next. This class tells them and does what follows:
 * it opens, promotes, drains and waits. It does not know what messages say.
 *
 *   candidate ──welcome──▶ in use ──replaced──▶ draining ──drained or 5 s──▶ closed
 */
import type { CloseReason } from '../protocol/close.ts'
import { ProtocolError } from '../protocol/wire.ts'
import { transportsStrings } from '../strings/transports.ts'
import type { TransportDecision, TransportChoice } from '../transports/choose-transport.ts'
import type { LinkTarget, Transport, TransportId } from '../transports/transport.ts'
import { TransportError } from '../transports/transport.ts'
import { Candidate, type CandidateEvents, type AttemptPurpose } from './candidate.ts'
import { TransportChooser } from './transport-chooser.ts'
import type { Clock } from './clock.ts'
import { DrainingLinks } from './draining-links.ts'
import type { FramedLink } from './framed-link.ts'
import { DecodeErrorBudget } from './decode-error-budget.ts'
import { applyLinkEvent, hasLasted, type LinkEffect, type LinkEvent, type LinkState } from './link-state.ts'
import { LinkRecord } from './link-record.ts'

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
  readonly record: Readonly<LinkRecord>
  readonly chooser: TransportChooser
  readonly #options: LinksOptions
  readonly #handlers: LinksHandlers
  readonly #clock: Clock
  readonly #decodeErrorBudget = new DecodeErrorBudget()
  readonly #drainingLinks: DrainingLinks
  #state: LinkState = { name: 'idle' }
  /** Cancels the wait for a retry or, while a link is in use, for a probe. */
  #cancelTimer = () => {}

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
    return 'link' in this.#state ? this.#state.link : null
  }

  get #candidate(): Candidate | null {
    return 'candidate' in this.#state ? this.#state.candidate : null
  }

  /** The transport of a requested switch, not of a better one that is tried in the background. */
  get switchingTo(): TransportId | undefined {
    const requested = this.#candidate?.purpose === 'switch' ? this.#candidate.transport : undefined
    return this.current ? requested : undefined
  }

  /** For deadlines: measured by ping, before the first ping by the opening of the link, otherwise by the platform. */
  get roundTripMs(): number | undefined {
    const { net, origin } = this.#options.target
    const { roundTripMs, openingMs } = this.record
    return roundTripMs ?? openingMs ?? net.roundTripMs(origin)
  }

  /** A choice made before this opened the first link already. */
  start(): void {
    if (this.#state.name === 'idle') this.#open(this.chooser.decide(), 'link')
  }

  /** The window came back: ends a wait, unless the server asked for it (S8). */
  skipWait(): void {
    if (this.#state.name === 'waiting' && !this.#state.reason.retryAfterMs) this.#retry()
  }

  /** A person asks for it: ends a wait that the server did not ask for, and begins a hanging attempt anew. */
  tryNow(): void {
    if (this.#state.name !== 'connecting') this.skipWait()
    else if (this.#state.candidate.purpose !== 'switch') this.#open(this.chooser.decide(), 'link')
  }

  /** Evidence from the old network says nothing about the new one: everything is tried anew, at once. */
  onNetworkChange(): void {
    this.chooser.recordEvent({ type: 'network changed', at: this.#clock.now() })
    this.tryNow()
    this.#notifyChange()
  }

  /** The server named the transports that it offers. A pin on any other is given up. */
  onOffers(offers: readonly TransportId[] | null): void {
    this.chooser.recordEvent({ type: 'offered', offers })
    this.#notifyChange()
  }

  /** Make-before-break. Rejects with a TransportError when the new link fails; the old one then stays in use. */
  async switchTo(choice: TransportChoice): Promise<void> {
    if (this.#state.name === 'stopped') throw new TransportError(this.#state.reason)
    if (choice !== 'automatic' && !this.chooser.offered.includes(choice))
      throw new TransportError({ code: 'refused', detail: transportsStrings.details.notOfferedHere(choice) })
    this.chooser.setWanted(choice)
    const decision = this.chooser.decide()
    if (this.current?.info.transport !== decision.transport) return this.#open(decision, 'switch').outcome
    this.chooser.confirmWanted()
    this.#apply({ type: 'keep' })
  }

  /** Opens the same transport anew with POSTs: sent frames do not seem to arrive. */
  reopenWithPosts(): void {
    if (this.#state.name !== 'up') return
    const { transport } = this.#state.link.info
    this.#open({ transport, streamedBody: false }, 'posts')
  }

  /**
   * Opens the same transport anew, because the settings of its links have changed. An attempt under way will do. Resolves when it
   * is proven, at once without a link. @throws {TransportError} when it failed.
   */
  async reopen(): Promise<void> {
    if (this.#state.name === 'up') {
      const { transport } = this.#state.link.info
      this.#open({ ...this.chooser.decide(), transport }, 'background')
    }
    await this.#candidate?.outcome
  }

  /** The server welcomed the session on this link: it is the current one now. */
  promote(link: FramedLink): void {
    if (this.#candidate?.link === link) this.#apply({ type: 'proven', link, at: this.#clock.now() })
  }

  /** The old link delivered its last frame. So it was alive, and its upload was what was held back. */
  onDrained(link: FramedLink): void {
    if (this.#drainingLinks.isSuspect(link)) this.chooser.recordEvent({ type: 'upload held back' })
    this.#drainingLinks.close(link)
  }

  closeDraining(): void {
    this.#drainingLinks.closeAll()
  }

  stop(reason: CloseReason): void {
    this.#apply({ type: 'stop', reason })
  }

  // Attempts

  #retry(): void {
    this.chooser.recordEvent({ type: 'waited' })
    this.#open(this.chooser.decide(), 'link')
  }

  #open(decision: AttemptDecision, purpose: AttemptPurpose): Candidate {
    const candidate = this.#createCandidate(decision, purpose)
    this.#apply({ type: 'open', candidate })
    return candidate
  }

  #createCandidate({ transport, streamedBody }: AttemptDecision, purpose: AttemptPurpose): Candidate {
    const { transports, target, clock } = this.#options
    const options = {
      transport: transports.get(transport)!,
      target: { ...target, streamedBody },
      purpose,
      clock,
      traffic: this.record.traffic,
      roundTripMs: () => this.roundTripMs,
      hasExtraTime: purpose === 'background' || purpose === 'posts' || this.chooser.isExhausted,
    }
    return new Candidate(options, this.#candidateEvents)
  }

  // What happens to links

  readonly #candidateEvents: CandidateEvents = {
    onOpened: (candidate, link) => {
      if (this.#candidate === candidate) this.#handlers.onOpened(link, this.current !== null)
    },
    onFrame: (link, frame) => this.#onFrame(link, frame),
    onEnded: (candidate, reason) => {
      const { link } = candidate
      if (link && this.#drainingLinks.remove(link)) return
      if (link && this.current === link) this.#onLost(link, reason)
      else if (this.#candidate === candidate) this.#onFailed(candidate, reason)
    },
  }

  #onFrame(link: FramedLink, frame: Uint8Array): void {
    if (link === this.current) this.#handlers.onReceived()
    try {
      const messages = link.receive(frame)
      if (messages) this.#handlers.onMessages(link, messages)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      link.close(error.reason)
    }
  }

  #onFailed({ transport, link }: Candidate, given: CloseReason): void {
    const reason = this.#decodeErrorBudget.downgrade(given)
    const at = this.#clock.now()
    this.chooser.recordEvent({ type: 'failed', transport, at, reason, opened: link !== null })
    this.#applyEnd('failed', reason)
  }

  #onLost({ info: { transport } }: FramedLink, given: CloseReason): void {
    const at = this.#clock.now()
    if ('since' in this.#state && hasLasted(this.#state, at)) this.#decodeErrorBudget.reset()
    const reason = this.#decodeErrorBudget.downgrade(given)
    this.record.onLost(reason)
    this.chooser.recordEvent({ type: 'lost', transport, at, reason })
    this.#applyEnd('lost', reason)
  }

  #applyEnd(type: 'failed' | 'lost', reason: CloseReason): void {
    const decision = this.chooser.decide()
    const next = decision.atOnce ? this.#createCandidate(decision, 'link') : null
    this.#apply({ type, reason, at: this.#clock.now(), random: this.#clock.random(), next })
  }

  // What follows

  #apply(event: LinkEvent): void {
    this.#cancelTimer()
    const [state, ...effects] = applyLinkEvent(this.#state, event)
    this.#state = state
    for (const effect of effects) this.#perform(effect)
    this.#notifyChange()
  }

  #perform(effect: LinkEffect): void {
    const at = this.#clock.now()
    switch (effect.type) {
      case 'open':
        this.chooser.recordEvent({ type: 'opening', transport: effect.candidate.transport, at })
        return effect.candidate.open()
      case 'abandon':
        return effect.candidate.giveUp(effect.reason)
      case 'drain':
        this.chooser.recordEvent({ type: 'replaced', transport: effect.link.info.transport, at })
        return this.#drainingLinks.add(effect.link, effect.isSuspect)
      case 'promote':
        this.record.onProven(effect.candidate.transport, transportsStrings.switchReasons[effect.why])
        this.chooser.confirmWanted()
        this.chooser.recordEvent({ type: 'proven', transport: effect.candidate.transport, at })
        return effect.candidate.onProven()
      case 'revert':
        return this.chooser.revertWanted()
      case 'wait':
        this.#cancelTimer = this.#clock.after(effect.ms, () => this.#retry())
        return
      case 'close':
        this.#drainingLinks.closeAll()
        return effect.link?.close(effect.reason)
    }
  }

  #notifyChange(): void {
    if (this.#state.name === 'up') this.#scheduleProbe()
    this.#handlers.onChange()
  }

  #scheduleProbe(): void {
    this.#cancelTimer()
    const probe = this.chooser.nextProbe
    if (!probe) return
    const delay = Math.max(0, probe.at - this.#clock.now())
    this.#cancelTimer = this.#clock.after(delay, () => void this.#open(probe, 'background'))
  }
}

type AttemptDecision = Pick<TransportDecision, 'transport' | 'streamedBody'>
