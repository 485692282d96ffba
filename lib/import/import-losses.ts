/** Counts what a document could not take over, and says so in sentences. */
import { strings } from '../strings/import.ts'

const lossKinds = Object.keys(strings.losses) as (keyof typeof strings.losses)[]

export type LossKind = keyof typeof strings.losses

export class ImportLosses {
  readonly #counts = new Map<LossKind, number>()

  count(kind: LossKind, by = 1): void {
    if (by > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + by)
  }

  sentences(): string[] {
    return lossKinds.flatMap((kind) => {
      const count = this.#counts.get(kind)
      return count === undefined ? [] : [strings.losses[kind](count)]
    })
  }
}
