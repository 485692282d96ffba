/** Counts what could not be imported, and says so in sentences. */
import { importStrings } from '../strings/import.ts'

const lossKinds = Object.keys(importStrings.losses) as (keyof typeof importStrings.losses)[]

export type LossKind = keyof typeof importStrings.losses

/** Of documents of one zip: the rest is counted. */
const MAX_REFUSALS = 20

export class ImportLosses {
  readonly #counts = new Map<LossKind, number>()
  readonly #refusals: string[] = []

  count(kind: LossKind, by = 1): void {
    if (by > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + by)
  }

  /** @param sentence Why one document of several was not imported. */
  addRefusal(sentence: string): void {
    if (this.#refusals.length < MAX_REFUSALS) this.#refusals.push(sentence)
    else this.count('document')
  }

  sentences(): string[] {
    const counted = lossKinds.flatMap((kind) => {
      const count = this.#counts.get(kind)
      return count === undefined ? [] : [importStrings.losses[kind](count)]
    })
    return [...this.#refusals.map(importStrings.notImported), ...counted]
  }
}
