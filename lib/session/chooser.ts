/** A session's choice of transport as it stands: what is wanted, what is known, and what follows from both (S5). Opens nothing. */
import type { ChoiceInput, Decision, Probe, TransportChoice } from '../transports/choose.ts'
import { choose, nextProbe, offeredOf } from '../transports/choose.ts'
import { type Knowledge, learn, type Lesson, nothingKnown } from '../transports/evidence.ts'
import { type Finding, findingsOf } from '../transports/findings.ts'
import type { TransportId } from '../transports/transport.ts'

export class Chooser {
  readonly #known: readonly TransportId[]
  #knowledge: Knowledge = nothingKnown
  #wanted: TransportChoice
  /** The latest choice that led to a link: what a failed switch goes back to. */
  #settled: TransportChoice

  /** @param known What this side can do, in the order of preference. */
  constructor(known: readonly TransportId[], wanted: TransportChoice) {
    this.#known = known
    this.#wanted = this.#settled = wanted
    this.#dropPinWithoutDoor()
  }

  get wanted(): TransportChoice {
    return this.#wanted
  }

  /** In the order of preference. */
  get offered(): readonly TransportId[] {
    return offeredOf(this.#input)
  }

  /** Of all that this side can do, in the order of preference. */
  get findings(): readonly Finding[] {
    return findingsOf(this.#known, this.#knowledge)
  }

  /** The better transport that is tried next in the background, and when. */
  get nextProbe(): Probe | null {
    return nextProbe(this.#input)
  }

  /** All that comes into question failed since the last link went. */
  get exhausted(): boolean {
    const { wanted, offered } = this
    const questions = wanted === 'automatic' ? offered : [wanted]
    return questions.every((id) => this.#knowledge.gapFailures.includes(id))
  }

  next(): Decision {
    return choose(this.#input)
  }

  want(choice: TransportChoice): void {
    this.#wanted = choice
  }

  /** It led to a link. */
  settle(): void {
    this.#settled = this.#wanted
  }

  /** It did not. */
  unsettle(): void {
    this.#wanted = this.#settled
  }

  learn(lesson: Lesson): void {
    this.#knowledge = learn(this.#knowledge, lesson)
    this.#dropPinWithoutDoor()
  }

  get #input(): ChoiceInput {
    return { wanted: this.#wanted, known: this.#known, knowledge: this.#knowledge }
  }

  #dropPinWithoutDoor(): void {
    if (this.#wanted === 'automatic' || this.offered.includes(this.#wanted)) return
    this.#wanted = this.#settled = 'automatic'
  }
}
