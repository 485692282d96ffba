/** What a reader of a run's figures has to know: what was lost, and where the crowd itself was too slow. Sentences. */
import { summaryOf } from '../support/histogram.ts'
import type { Tally } from './tally.ts'

/** One frame: below it nobody sees the difference. */
const LATE_MS = 16

export function faultsOf(where: string, { lost, audit, lateness }: Tally): string[] {
  const late = summaryOf(lateness).p99
  const { missing, doubled, disordered } = audit
  const wrong = [`${missing} missing`, `${doubled} doubled`, `${disordered} out of order`]
  return [
    ...(lost.count > 0 ? [`${where}: ${lost.count} connections ended (${lost.why}).`] : []),
    ...(missing + doubled + disordered > 0 ? [`${where}: deliveries ${wrong.join(', ')}.`] : []),
    ...(late > LATE_MS ? [`${where}: the crowd itself was late, by ${late.toFixed(0)} ms at p99.`] : []),
  ]
}
