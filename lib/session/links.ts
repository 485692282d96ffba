/**
 * The links of one session: opens them one attempt at a time, proves them, keeps one current, drains the one before (S4),
 * and comes back after a loss (S8). Knows links, evidence and time; does not know what the messages say.
 *
 *   candidate ──welcome──▶ current ──relieved──▶ draining ──drained or 5 s──▶ closed
 */
import type { CloseReason } from '../protocol/close.ts'
import { describeClose, fateOf } from '../protocol/close.ts'
import { ProtocolError } from '../protocol/wire.ts'
import type { Evidence, TransportChoice } from '../transports/choose.ts'
import { chooseTransport } from '../transports/choose.ts'
import type { Sink, Target, Transport, TransportId } from '../transports/transport.ts'
import { TransportError } from '../transports/transport.ts'
import type { Clock } from './clock.ts'
import { LiveLink, type Traffic } from './live-link.ts'
import type { LinkEvent, LinkState } from './machine.ts'
import { step } from './machine.ts'
import { nextDelay } from './retry.ts'

/** An opening that takes longer is given up, whatever it waits for. */
const OPEN_MS = 10_000
/** S5: proof is due within this plus four measured round trips. */
const PROOF_MS = 2_000
const DRAIN_MS = 5_000
/** A link that broke sooner counts as one more failure: one that is cut after every proof is not opened ever faster (S8). */
const STEADY_MS = 10_000

export interface LinksOptions {
  readonly transports: ReadonlyMap<TransportId, Transport>
  readonly target: Target
  readonly wanted: TransportChoice
  readonly clock: Clock
}

export interface LinksHandlers {
  /** Say hello. `relief` is true while another link is still in use. */
  onOpened(link: LiveLink, relief: boolean): void
  /** Whole messages, in order. May throw ProtocolError, which closes the link. */
  onMessages(link: LiveLink, messages: Uint8Array): void
  onChange(): void
}

interface Candidate {
  readonly transport: TransportId
  readonly startedAt: number
  readonly abort: AbortController
  readonly settle: PromiseWithResolvers<void>
  /** Frames that came before `open` had resolved here. */
  readonly early: Uint8Array[]
  live: LiveLink | null
  cancelTimer: () => void
}

export class Links {
  readonly #options: LinksOptions
  readonly #handlers: LinksHandlers
  readonly #clock: Clock
  readonly traffic: Traffic = { framesUp: 0, framesDown: 0, bytesUp: 0, bytesDown: 0 }
  readonly evidence = new Map<TransportId, Evidence>()
  opened = 0
  switches = 0
  longestGapMs = 0
  roundTripMs: number | undefined
  wanted: TransportChoice
  /** The latest choice that led to a link: what a failed switch goes back to. */
  #settled: TransportChoice
  #switchesAsked = 0
  #state: LinkState = { name: 'idle' }
  #current: LiveLink | null = null
  #candidate: Candidate | null = null
  readonly #draining = new Map<LiveLink, () => void>()
  #cancelRetry = () => {}
  #gapSince: number | null = null

  constructor(options: LinksOptions, handlers: LinksHandlers) {
    this.#options = options
    this.#handlers = handlers
    this.#clock = options.clock
    this.wanted = this.#settled = options.wanted
  }

  get state(): LinkState {
    return this.#state
  }

  get current(): LiveLink | null {
    return this.#current
  }

  get switchingTo(): TransportId | undefined {
    return this.#current ? this.#candidate?.transport : undefined
  }

  get offered(): readonly TransportId[] {
    return [...this.#options.transports.keys()]
  }

  start(): void {
    this.#step({ type: 'start' })
    void this.#attempt(this.#choose()) // its failure is an event of the machine
  }

  /** The network or the window came back: do not sit out a wait, unless the server asked for it (S8). */
  hurry(): void {
    if (this.#state.name === 'waiting' && !this.#state.reason.retryAfterMs) this.#retry()
  }

  /** Make-before-break. Rejects with a TransportError when the new link fails; then the old one goes on. */
  async switchTo(choice: TransportChoice): Promise<void> {
    this.wanted = choice
    const asked = ++this.#switchesAsked
    const transport = this.#choose()
    this.#abandonCandidate()
    this.#handlers.onChange()
    try {
      if (this.#current?.info.transport === transport) this.#settled = choice
      else await this.#switch(transport)
    } catch (error) {
      if (this.#current && asked === this.#switchesAsked) this.wanted = this.#settled
      throw error
    } finally {
      this.#handlers.onChange()
    }
  }

  /** The server welcomed the session on this link: it is the current one now. */
  prove(link: LiveLink): void {
    const candidate = this.#candidate
    if (candidate?.live !== link) return
    candidate.cancelTimer()
    this.#candidate = null
    this.#relieve(this.#current)
    this.#current = link
    this.#settled = this.wanted
    this.opened += 1
    this.#note(candidate.transport, true, 'in use')
    this.#endGap()
    this.#step({ type: 'proven' })
    candidate.settle.resolve()
  }

  /** The old link said its last. */
  drained(link: LiveLink): void {
    if (this.#draining.has(link)) link.close({ code: 'drained' })
  }

  /** Takes a link out of use, as when it fell silent. */
  drop(link: LiveLink, reason: CloseReason): void {
    link.close(reason)
  }

  dropDraining(): void {
    for (const link of this.#draining.keys()) link.close({ code: 'drained' })
  }

  stop(reason: CloseReason): void {
    this.#cancelRetry()
    this.#abandonCandidate()
    this.#step({ type: 'stop', reason })
    this.dropDraining()
    this.#current?.close(reason)
  }

  #switch(transport: TransportId): Promise<void> {
    if (this.#state.name === 'stopped') return Promise.reject(new TransportError(this.#state.reason))
    if (this.#state.name === 'waiting') {
      this.#cancelRetry()
      this.#step({ type: 'due' })
    }
    return this.#attempt(transport)
  }

  #choose(): TransportId {
    return chooseTransport({ wanted: this.wanted, offered: this.offered, evidence: this.evidence })
  }

  #attempt(id: TransportId): Promise<void> {
    const settle = Promise.withResolvers<void>()
    settle.promise.catch(() => {}) // heard by switchTo, where somebody asked
    const transport = this.#options.transports.get(id)
    const candidate: Candidate = {
      transport: id,
      startedAt: this.#clock.now(),
      abort: new AbortController(),
      settle,
      early: [],
      live: null,
      cancelTimer: () => {},
    }
    this.#candidate = candidate
    if (transport) this.#open(transport, candidate)
    else this.#fail(candidate, { code: 'refused', detail: `${id} is not offered here` })
    return settle.promise
  }

  #open(transport: Transport, candidate: Candidate): void {
    this.#timeLimit(candidate, OPEN_MS, 'not open')
    const sink = this.#sinkOf(candidate)
    transport.open(this.#options.target, sink, candidate.abort.signal).then(
      (link) => this.#onOpen(candidate, new LiveLink(link, this.traffic, this.#clock.now())),
      (error: unknown) => this.#fail(candidate, reasonOf(error)),
    )
  }

  #onOpen(candidate: Candidate, live: LiveLink): void {
    if (this.#candidate !== candidate) return live.close({ code: 'done' })
    candidate.live = live
    const opening = this.#clock.now() - candidate.startedAt
    this.#timeLimit(candidate, PROOF_MS + 4 * Math.max(opening, this.roundTripMs ?? 0), 'no proof of life')
    this.#handlers.onOpened(live, this.#current !== null)
    for (const frame of candidate.early.splice(0)) this.#onFrame(live, frame)
  }

  #timeLimit(candidate: Candidate, ms: number, what: string): void {
    candidate.cancelTimer()
    candidate.cancelTimer = this.#clock.after(ms, () =>
      this.#fail(candidate, { code: 'timeout', detail: `${what} within ${(ms / 1000).toFixed(1)} s` }),
    )
  }

  #sinkOf(candidate: Candidate): Sink {
    return {
      onFrame: (frame) => {
        if (candidate.live) this.#onFrame(candidate.live, frame)
        else candidate.early.push(frame)
      },
      onClosed: (reason) => this.#onClosed(candidate, reason),
    }
  }

  #onFrame(link: LiveLink, frame: Uint8Array): void {
    try {
      const messages = link.receive(frame)
      if (messages) this.#handlers.onMessages(link, messages)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      link.close(error.reason)
    }
  }

  #onClosed(candidate: Candidate, reason: CloseReason): void {
    const { live } = candidate
    if (live && this.#draining.has(live)) this.#forgetDraining(live)
    else if (live && this.#current === live) this.#onLost(live, reason)
    else if (this.#candidate === candidate) this.#fail(candidate, reason)
  }

  #onLost({ info, openedAt }: LiveLink, reason: CloseReason): void {
    const attempt = this.#state.name === 'up' ? this.#state.attempt : 0
    const steady = this.#clock.now() - openedAt >= STEADY_MS
    this.#current = null
    this.#gapSince = this.#clock.now()
    this.#note(
      info.transport,
      fateOf(reason) === 'retry' && (steady || reason.code === 'going-away'),
      describeClose(reason),
    )
    if (fateOf(reason) !== 'retry') return this.stop(reason)
    if (this.#candidate) return this.#step({ type: 'relieved' })
    const retryAt = this.#scheduleRetry(steady ? 0 : attempt, reason)
    this.#step({ type: 'lost', reason, retryAt, steady })
  }

  #fail(candidate: Candidate, reason: CloseReason): void {
    if (this.#candidate !== candidate) return
    this.#abandonCandidate(reason)
    this.#note(candidate.transport, false, describeClose(reason))
    if (this.#state.name !== 'connecting') return this.#handlers.onChange()
    if (fateOf(reason) !== 'retry') return this.stop(reason)
    const retryAt = this.#scheduleRetry(this.#state.attempt, reason)
    this.#step({ type: 'failed', reason, retryAt })
  }

  #abandonCandidate(reason: CloseReason = { code: 'done' }): void {
    const candidate = this.#candidate
    if (!candidate) return
    this.#candidate = null
    candidate.cancelTimer()
    candidate.abort.abort()
    candidate.live?.close(reason)
    candidate.settle.reject(new TransportError(reason))
  }

  #scheduleRetry(attempt: number, reason: CloseReason): number {
    const delay = nextDelay({ attempt, reason, random: this.#clock.random() })
    this.#cancelRetry = this.#clock.after(delay, () => this.#retry())
    return this.#clock.now() + delay
  }

  #retry(): void {
    this.#cancelRetry()
    this.#step({ type: 'due' })
    void this.#attempt(this.#choose())
  }

  #relieve(link: LiveLink | null): void {
    if (!link) return
    this.switches += 1
    this.#note(link.info.transport, true, 'worked')
    this.#draining.set(
      link,
      this.#clock.after(DRAIN_MS, () => link.close({ code: 'drained' })),
    )
  }

  #forgetDraining(link: LiveLink): void {
    this.#draining.get(link)?.()
    this.#draining.delete(link)
  }

  #endGap(): void {
    if (this.#gapSince === null) return
    this.longestGapMs = Math.max(this.longestGapMs, this.#clock.now() - this.#gapSince)
    this.#gapSince = null
  }

  #note(transport: TransportId, worked: boolean, outcome: string): void {
    this.evidence.set(transport, { transport, at: this.#clock.now(), worked, outcome })
  }

  #step(event: LinkEvent): void {
    this.#state = step(this.#state, event)
    this.#handlers.onChange()
  }
}

const reasonOf = (error: unknown): CloseReason =>
  error instanceof TransportError ? error.reason : { code: 'lost', detail: String(error) }
