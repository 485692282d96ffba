/**
 * One attempt at a link, from its opening to its proof, under one deadline for both (S5). It reports the outcome and decides
 * nothing. After the proof the link lives on without it.
 *
 *   opening ──▶ opened ──▶ proven            failed, at the latest when the deadline is over
 */
import type { CloseReason } from '../protocol/close.ts'
import { transportsStrings } from '../strings/transports.ts'
import { MIN_PROOF_MS } from '../transports/proof-timeout.ts'
import type { Sink, LinkTarget, Transport, TransportId } from '../transports/transport.ts'
import { closeReasonOf, TransportError } from '../transports/transport.ts'
import type { Clock } from './clock.ts'
import { FramedLink, type LinkTraffic } from './framed-link.ts'
import { attemptTimeoutMs } from './deadlines.ts'

/** Who waits for the attempt: everybody, the person who asked for a switch, or nobody. `posts`: nobody, without a streamed body. */
export type AttemptPurpose = 'link' | 'switch' | 'background' | 'posts'

export interface CandidateOptions {
  readonly transport: Transport
  readonly target: LinkTarget
  readonly purpose: AttemptPurpose
  readonly clock: Clock
  readonly traffic: LinkTraffic
  /** The latest measurement. */
  roundTripMs(): number | undefined
  /** See `AttemptTiming.hasExtraTime`. */
  readonly hasExtraTime: boolean
}

export interface CandidateEvents {
  /** The receiver sends its hello on the link. */
  onOpened(candidate: Candidate, link: FramedLink): void
  /** Never called before `onOpened`. */
  onFrame(link: FramedLink, frame: Uint8Array): void
  /** It failed, or its link ended, proven or not. */
  onEnded(candidate: Candidate, reason: CloseReason): void
}

export class Candidate {
  readonly transport: TransportId
  readonly purpose: AttemptPurpose
  link: FramedLink | null = null
  readonly #options: CandidateOptions
  readonly #events: CandidateEvents
  readonly #startedAt: number
  readonly #abort = new AbortController()
  readonly #outcome = Promise.withResolvers<void>()
  /** Resolves when the link is proven. @throws {TransportError} when it never will be. */
  readonly outcome = this.#outcome.promise
  /** Frames that arrived before `open` resolved. */
  readonly #earlyFrames: Uint8Array[] = []
  #openingMs: number | undefined
  #cancelDeadline = () => {}

  constructor(options: CandidateOptions, events: CandidateEvents) {
    this.transport = options.transport.id
    this.purpose = options.purpose
    this.#options = options
    this.#events = events
    this.#startedAt = options.clock.now()
    this.outcome.catch(() => {}) // Only who asked for a switch handles the rejection.
  }

  open(): void {
    const { transport, target } = this.#options
    this.#scheduleDeadline(MIN_PROOF_MS)
    transport.open(target, this.#createSink(), this.#abort.signal).then(
      (link) => this.#onOpen(new FramedLink(link, this.#options.traffic, this.#options.clock.now())),
      (error: unknown) => this.#events.onEnded(this, closeReasonOf(error)),
    )
  }

  /** The candidate's link is in use from now on. */
  onProven(): void {
    this.#cancelDeadline()
    this.#outcome.resolve()
  }

  giveUp(reason: CloseReason): void {
    this.#cancelDeadline()
    this.#abort.abort()
    this.link?.close(reason)
    this.#outcome.reject(new TransportError(reason))
  }

  #onOpen(link: FramedLink): void {
    if (this.#abort.signal.aborted) return link.close({ code: 'done' })
    this.link = link
    this.#openingMs = this.#options.clock.now() - this.#startedAt
    this.#events.onOpened(this, link)
    for (const frame of this.#earlyFrames.splice(0)) this.#events.onFrame(link, frame)
  }

  /** Computes the deadline anew: the attempt itself may have shown how fast the network is. */
  #checkDeadline(): void {
    const { clock, roundTripMs, hasExtraTime } = this.#options
    const elapsed = clock.now() - this.#startedAt
    const opening = this.#openingMs === undefined ? {} : { openingMs: this.#openingMs }
    const timeoutMs = attemptTimeoutMs({ roundTripMs: roundTripMs(), hasExtraTime, ...opening })
    if (elapsed < timeoutMs) return this.#scheduleDeadline(timeoutMs - elapsed)
    const detail = transportsStrings.details.noAnswerWithin((elapsed / 1000).toFixed(1))
    this.#events.onEnded(this, { code: 'timeout', detail })
  }

  #scheduleDeadline(ms: number): void {
    this.#cancelDeadline = this.#options.clock.after(ms, () => this.#checkDeadline())
  }

  #createSink(): Sink {
    return {
      onFrame: (frame) => {
        if (this.link) this.#events.onFrame(this.link, frame)
        else this.#earlyFrames.push(frame)
      },
      onClosed: (reason) => this.#events.onEnded(this, reason),
    }
  }
}
