/** Which transport next, and why not the others. Pure: evidence in, decision out. */
import type { TransportId } from './transport.ts'

export type TransportChoice = TransportId | 'automatic'

export interface Evidence {
  readonly transport: TransportId
  /** Milliseconds on the session's clock: `performance.now()`, so `performance.timeOrigin + at` is the time of day. */
  readonly at: number
  readonly worked: boolean
  /** In words: "in use", or why not: "No connection could be opened this way. (403)". */
  readonly outcome: string
}

export interface ChoiceInput {
  readonly wanted: TransportChoice
  /** In the order of preference. */
  readonly offered: readonly TransportId[]
  /** The latest of each transport. */
  readonly evidence: ReadonlyMap<TransportId, Evidence>
}

/** A person's pin is obeyed. Otherwise the first that has not failed, else the one whose failure is the oldest. */
export function chooseTransport({ wanted, offered, evidence }: ChoiceInput): TransportId {
  if (wanted !== 'automatic') return wanted
  const failedAt = (id: TransportId): number => {
    const latest = evidence.get(id)
    return latest && !latest.worked ? latest.at : -Infinity
  }
  const [first, ...others] = offered
  if (first === undefined) throw new Error('No transport is offered: name at least one.')
  return others.reduce((best, id) => (failedAt(id) < failedAt(best) ? id : best), first)
}
