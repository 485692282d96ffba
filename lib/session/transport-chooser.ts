/** A session's current choice of transport: what is wanted, what is known, and what follows from both (S5). It opens nothing. */
import type {
  ChoiceInput,
  TransportDecision,
  TransportProbe,
  TransportChoice,
} from '../transports/choose-transport.ts'
import { chooseTransport, nextProbe, offeredOf } from '../transports/choose-transport.ts'
import {
  type TransportKnowledge,
  applyEvent,
  type TransportEvent,
  emptyKnowledge,
} from '../transports/evidence.ts'
import { type TransportFinding, findingsOf } from '../transports/findings.ts'
import type { TransportId } from '../transports/transport.ts'

export class TransportChooser {
  readonly #supported: readonly TransportId[]
  #knowledge: TransportKnowledge = emptyKnowledge
  #wanted: TransportChoice
  /** The latest choice that led to a link. A failed switch goes back to it. */
  #confirmed: TransportChoice

  /** @param supported The transports that this side can use, in the order of preference. */
  constructor(supported: readonly TransportId[], wanted: TransportChoice) {
    this.#supported = supported
    this.#wanted = this.#confirmed = wanted
    this.#dropPinNotOffered()
  }

  get wanted(): TransportChoice {
    return this.#wanted
  }

  /** In the order of preference. */
  get offered(): readonly TransportId[] {
    return offeredOf(this.#input)
  }

  /** The findings on every transport that this side can use, in the order of preference. */
  get findings(): readonly TransportFinding[] {
    return findingsOf(this.#supported, this.#knowledge)
  }

  /** Which better transport is tried next in the background, and when. */
  get nextProbe(): TransportProbe | null {
    return nextProbe(this.#input)
  }

  /** Whether every possible transport failed since the last link was lost. */
  get isExhausted(): boolean {
    const { wanted, offered } = this
    const candidates = wanted === 'automatic' ? offered : [wanted]
    return candidates.every((id) => this.#knowledge.gapFailures.includes(id))
  }

  decide(): TransportDecision {
    return chooseTransport(this.#input)
  }

  setWanted(choice: TransportChoice): void {
    this.#wanted = choice
  }

  /** The wanted choice led to a link. */
  confirmWanted(): void {
    this.#confirmed = this.#wanted
  }

  /** The wanted choice led to no link. */
  revertWanted(): void {
    this.#wanted = this.#confirmed
  }

  recordEvent(event: TransportEvent): void {
    this.#knowledge = applyEvent(this.#knowledge, event)
    this.#dropPinNotOffered()
  }

  get #input(): ChoiceInput {
    return { wanted: this.#wanted, supported: this.#supported, knowledge: this.#knowledge }
  }

  #dropPinNotOffered(): void {
    if (this.#wanted === 'automatic' || this.offered.includes(this.#wanted)) return
    this.#wanted = this.#confirmed = 'automatic'
  }
}
