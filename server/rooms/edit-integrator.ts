/**
 * Checks edits against a room's text and puts them into the Y.Doc: one at once, a costly one in steps, those of a busy room together and
 * later. An edit that breaks Yjs is refused, and nothing of it stays in the Y.Doc. Each principal is charged for the work its edits cause.
 * Knows text, principals and work; does not know members or the disk.
 */
import type { Logger } from 'pino'
import type * as Y from 'yjs'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import type { Meter } from '../metering/meter.ts'
import { checkAuthors } from './check-authors.ts'
import type { CheckedUpdate } from './check-update.ts'
import type { Clocks } from './clocks.ts'
import { IntegrationCost, UNITS } from './integration-cost.ts'
import { type DecodedUpdate, readUpdateInSteps } from './read-update.ts'
import { refuseOnError, ROOM_RELOADING, type RoomFaults, toRefusal } from './room-faults.ts'
import type { RoomText } from './room-text.ts'
import { RoomRefusal } from './rooms.ts'
import { nextTurn } from './run-steps.ts'

export interface EditIntegratorOptions {
  readonly document: string
  /** The part of the document that work is charged to. */
  readonly partKey: string
  readonly log: Logger
  readonly meter: Meter
  readonly text: RoomText
  readonly faults: RoomFaults
}

/** An edit that is checked, and not in the Y.Doc yet. */
export interface CheckedEdit {
  /** Its author. */
  readonly principal: Principal
  readonly checked: CheckedUpdate
  readonly cost: IntegrationCost
}

/** An edit that is integrated later; its clocks count already. */
export interface DeferredEdit extends CheckedEdit {
  refuse(refusal: RoomRefusal): void
}

export class EditIntegrator {
  readonly #options: EditIntegratorOptions
  readonly #text: RoomText
  readonly #faults: RoomFaults
  #deferredEdits: DeferredEdit[] = []

  constructor(options: EditIntegratorOptions) {
    this.#options = options
    this.#text = options.text
    this.#faults = options.faults
  }

  /** Holds all that was accepted. Throws if Yjs cannot apply what is stored. */
  get doc(): Y.Doc {
    this.integrateDeferred()
    this.#faults.requireSound()
    return this.#text.doc
  }

  /** Decodes a long edit with turns for other work in between. @throws {RoomRefusal} */
  decodeInSteps(principal: Principal, update: Uint8Array, cost: IntegrationCost): Promise<DecodedUpdate> {
    const steps = readUpdateInSteps(update, cost)
    return this.#runInSteps(() => this.#chargeFor(principal, cost, () => steps.next()))
  }

  /** @throws {RoomRefusal} */
  check(
    principal: Principal,
    update: Uint8Array,
    cost: IntegrationCost,
    decoded?: DecodedUpdate,
  ): CheckedUpdate {
    return this.#chargeFor(principal, cost, () => this.#check(update, cost, decoded))
  }

  /** @throws {RoomRefusal} */
  checkAuthors(checked: CheckedUpdate, writer: Principal, cost: IntegrationCost): void {
    const { doc } = this
    const check = (): void => checkAuthors(doc, checked, writer, cost)
    this.#chargeFor(writer, cost, () => refuseOnError('bad-update', check))
  }

  /**
   * Returns false if all of the edit was there already. A long one takes more than one turn, in which nobody else may use the Y.Doc: then
   * a promise is returned. @throws {RoomRefusal}
   */
  integrate(edit: CheckedEdit): boolean | Promise<boolean> {
    const nextStep = this.#integrationStepsOf(edit)
    const first = nextStep()
    return first.done ? first.value : this.#runInSteps(nextStep)
  }

  /** Integrates the edit later, in one transaction with the deferred edits of others. */
  defer(edit: DeferredEdit): void {
    this.#text.advanceClocks(edit.checked.clocks)
    this.#deferredEdits.push(edit)
  }

  /** Called before the deferred edits are appended, and before any other use of the Y.Doc. */
  integrateDeferred(): void {
    const waiting = this.#deferredEdits
    if (waiting.length === 0) return
    this.#deferredEdits = []
    if (this.#faults.isFaulty) return waiting.forEach((edit) => edit.refuse(new RoomRefusal(ROOM_RELOADING)))
    const before = waiting.map(({ cost }) => cost.excessUnits)
    try {
      this.#text.integrateAll(waiting)
    } catch (error) {
      this.#forgetDeferred(error)
      this.#integrateOneByOne(waiting)
    }
    for (const [index, { cost, principal }] of waiting.entries())
      this.#charge(principal, cost.excessUnits - before[index]!)
  }

  /** Returns all that `run` changed, as one update, and the clocks before and after. @throws {RoomRefusal} */
  changeDoc(run: (doc: Y.Doc) => void): { update: Uint8Array; from: Clocks; clocks: Clocks } | null {
    return this.#applyOrRefuse(() => this.#text.changeDoc(run))
  }

  /** Takes in edits that another node has checked and stored. @param clocks Those after each. */
  integrateRemote(updates: readonly Uint8Array[], clocks: readonly Clocks[]): void {
    this.integrateDeferred()
    this.#text.integrateRemote(updates, clocks)
  }

  /** @throws {RoomRefusal} */
  #check(update: Uint8Array, cost: IntegrationCost, decoded?: DecodedUpdate): CheckedUpdate {
    const checked = refuseOnError('bad-update', () => this.#text.check(update, () => this.doc, cost, decoded))
    cost.setNewBytes(checked.update.length)
    return checked
  }

  #integrationStepsOf({ checked, cost, principal }: CheckedEdit): () => IteratorResult<undefined, boolean> {
    const steps = this.#text.integrateInSteps(checked, cost)
    const nextStep = (): IteratorResult<undefined, boolean> => {
      const step = this.#applyOrRefuse(() => steps.next(), cost)
      if (step.done && !step.value) cost.setNewBytes(0)
      return step
    }
    return () => this.#chargeFor(principal, cost, nextStep)
  }

  /** Runs one step a turn. @throws {RoomRefusal} if the room fails meanwhile, and whatever a step throws. */
  async #runInSteps<Answer>(nextStep: () => IteratorResult<undefined, Answer>): Promise<Answer> {
    for (;;) {
      await nextTurn()
      this.#faults.requireSound()
      const step = nextStep()
      if (step.done) return step.value
    }
  }

  /** Refuses the edit that is to blame and its author's later edits, since each failure costs a new build of the Y.Doc. */
  #integrateOneByOne(waiting: readonly DeferredEdit[]): void {
    const blamed = new Set<string>()
    for (const edit of waiting) {
      try {
        this.#faults.requireSound()
        if (blamed.has(edit.principal.id))
          throw new RoomRefusal({ code: 'behind', detail: serverRefusalsStrings.edit.behindRefused })
        this.#integrateAgain(edit)
      } catch (error) {
        const refusal = toRefusal('bad-update', error)
        edit.refuse(refusal)
        if (refusal.reason.code === 'behind') continue
        blamed.add(edit.principal.id)
        this.#charge(edit.principal, this.#buildUnits) // the Y.Doc that held all of them
      }
    }
  }

  #integrateAgain({ checked, principal }: DeferredEdit): void {
    const cost = new IntegrationCost(checked.update.length)
    this.#chargeFor(principal, cost, () => {
      const again = this.#check(checked.update, cost) // it may build on what was refused
      this.#applyOrRefuse(() => this.#text.integrate(again, cost), cost)
    })
  }

  /** Refuses an edit that throws, and leaves nothing of it in the Y.Doc. */
  #applyOrRefuse<Answer>(run: () => Answer, cost?: IntegrationCost): Answer {
    void this.doc // a fault of the stored text is thrown here, and not blamed on the edit
    try {
      return run()
    } catch (error) {
      this.#discardHalfIntegrated(error, cost)
      throw this.#faults.isFaulty ? new RoomRefusal(ROOM_RELOADING) : toRefusal('bad-update', error)
    }
  }

  /** The Y.Doc is built again, a large one when it is next needed, and whoever is to blame is charged for it. */
  #discardHalfIntegrated(cause: unknown, cost?: IntegrationCost): void {
    this.#logRefusal(cause)
    this.#text.discardHalfIntegrated()
    if (this.#text.isDocBuilt) return
    cost?.addUnits(this.#buildUnits)
    if (!this.#text.isLarge) this.#runOrReport(() => void this.#text.doc)
  }

  get #buildUnits(): number {
    return this.#text.bytes * UNITS.builtByte
  }

  #forgetDeferred(cause: unknown): void {
    this.#logRefusal(cause)
    this.#runOrReport(() => this.#text.forgetDeferred())
  }

  #logRefusal(cause: unknown): void {
    const { log, document } = this.#options
    log.warn({ document, err: cause }, 'an edit was refused while it was taken in')
  }

  #runOrReport(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#faults.report(error)
    }
  }

  /** Charges the principal for the work beyond that of an honest edit, also if `run` throws. */
  #chargeFor<Answer>(principal: Principal, cost: IntegrationCost, run: () => Answer): Answer {
    const before = cost.excessUnits
    try {
      return run()
    } catch (error) {
      if (error instanceof RoomRefusal && error.reason.code === 'behind') cost.setNewBytes(0)
      else cost.countAllUnits()
      throw error
    } finally {
      this.#charge(principal, cost.excessUnits - before)
    }
  }

  #charge(principal: Principal, units: number): void {
    this.#options.meter.charge(principal, units, this.#options.partKey)
  }
}
