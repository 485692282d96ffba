/**
 * One attempt at a link, from its opening to its proof, under one deadline for both (S5). It says how it went and decides
 * nothing; once it is proven, its link lives on.
 *
 *   opening ──▶ opened ──▶ proven            failed, at the latest when the deadline is over
 */
import type { CloseReason } from '../protocol/close.ts'
import { strings } from '../strings/transports.ts'
import { PROOF_MS } from '../transports/proof.ts'
import type { Sink, Target, Transport, TransportId } from '../transports/transport.ts'
import { reasonOf, TransportError } from '../transports/transport.ts'
import type { Clock } from './clock.ts'
import { LiveLink, type Traffic } from './live-link.ts'
import { attemptMs } from './patience.ts'

/** Who waits for it: everybody, the person who asked for a switch, or nobody. */
export type Purpose = 'link' | 'switch' | 'background'

export interface CandidateOptions {
  readonly transport: TransportId
  readonly purpose: Purpose
  readonly clock: Clock
  readonly traffic: Traffic
  /** As measured by now. */
  roundTripMs(): number | undefined
  /** See `Attempt.patient`. */
  readonly patient: boolean
}

export interface CandidateEvents {
  /** Say hello. */
  onOpened(candidate: Candidate, link: LiveLink): void
  /** Not before `onOpened`. */
  onFrame(link: LiveLink, frame: Uint8Array): void
  onFailed(candidate: Candidate, reason: CloseReason): void
  /** Its link ended, proven or not. */
  onClosed(candidate: Candidate, reason: CloseReason): void
}

export class Candidate {
  readonly transport: TransportId
  readonly purpose: Purpose
  link: LiveLink | null = null
  readonly #options: CandidateOptions
  readonly #events: CandidateEvents
  readonly #startedAt: number
  readonly #abort = new AbortController()
  readonly #settle = Promise.withResolvers<void>()
  /** Frames that came before `open` had resolved here. */
  readonly #early: Uint8Array[] = []
  #openingMs: number | undefined
  #cancelDeadline = () => {}

  constructor(options: CandidateOptions, events: CandidateEvents) {
    this.transport = options.transport
    this.purpose = options.purpose
    this.#options = options
    this.#events = events
    this.#startedAt = options.clock.now()
    this.#settle.promise.catch(() => {}) // heard where somebody asked for a switch
  }

  /** Resolves when it is proven. @throws {TransportError} when it never will be. */
  get outcome(): Promise<void> {
    return this.#settle.promise
  }

  open(transport: Transport, target: Target): void {
    this.#deadlineIn(PROOF_MS)
    transport.open(target, this.#sink(), this.#abort.signal).then(
      (link) => this.#onOpen(new LiveLink(link, this.#options.traffic, this.#options.clock.now())),
      (error: unknown) => this.#events.onFailed(this, reasonOf(error)),
    )
  }

  /** Its link is in use from now on. */
  succeed(): void {
    this.#cancelDeadline()
    this.#settle.resolve()
  }

  giveUp(reason: CloseReason): void {
    this.#cancelDeadline()
    this.#abort.abort()
    this.link?.close(reason)
    this.#settle.reject(new TransportError(reason))
  }

  #onOpen(link: LiveLink): void {
    if (this.#abort.signal.aborted) return link.close({ code: 'done' })
    this.link = link
    this.#openingMs = this.#options.clock.now() - this.#startedAt
    this.#events.onOpened(this, link)
    for (const frame of this.#early.splice(0)) this.#events.onFrame(link, frame)
  }

  /** Asked anew: the attempt itself may have shown how fast the network is. */
  #deadline(): void {
    const { clock, roundTripMs, patient } = this.#options
    const elapsed = clock.now() - this.#startedAt
    const opening = this.#openingMs === undefined ? {} : { openingMs: this.#openingMs }
    const granted = attemptMs({ roundTripMs: roundTripMs(), patient, ...opening })
    if (elapsed < granted) return this.#deadlineIn(granted - elapsed)
    const detail = strings.details.noAnswerWithin((elapsed / 1000).toFixed(1))
    this.#events.onFailed(this, { code: 'timeout', detail })
  }

  #deadlineIn(ms: number): void {
    this.#cancelDeadline = this.#options.clock.after(ms, () => this.#deadline())
  }

  #sink(): Sink {
    return {
      onFrame: (frame) => {
        if (this.link) this.#events.onFrame(this.link, frame)
        else this.#early.push(frame)
      },
      onClosed: (reason) => this.#events.onClosed(this, reason),
    }
  }
}
