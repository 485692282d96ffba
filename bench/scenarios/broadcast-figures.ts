/** What is measured in `broadcast`, and how its figures are taken of it. */
import type { Figures } from '../crowd/measure.ts'
import { titleOf, withoutDisk } from '../crowd/subjects.ts'
import { type Samples, summaryOf } from '../support/histogram.ts'
import type { Outcome } from '../support/scenario.ts'
import { overRounds, type Spread } from '../support/stats.ts'

export interface About {
  readonly [name: string]: string | number
  readonly part: Part
  readonly clients: number
}

/**
 * `sixty` repeats the published comparison on every transport, `many` is the load of the aim, `at once` has everybody write in the
 * same moment, `bytes` counts what `sixty` says, through a proxy that would falsify its times, and `browser` is `sixty` in pages.
 */
export const parts = ['sixty', 'many', 'at once', 'bytes', 'browser'] as const
export type Part = (typeof parts)[number]

export interface Measured extends Figures {
  readonly bytes?: { readonly up: number; readonly down: number }
}

export type One = Outcome<About, Measured>

/** One subject by one lane, its rounds together. */
export interface Row {
  readonly name: string
  /** The same, as people call it. */
  readonly title: string
  readonly lane: string
  readonly subject: string
  readonly rounds: readonly One[]
}

export function rowsOf(outcomes: readonly One[], part: Part): Row[] {
  const own = outcomes.filter(({ trial }) => trial.params.part === part)
  const byName = Map.groupBy(own, ({ trial }) => `${trial.subject}, ${trial.lane}`)
  return [...byName].map(([name, rounds]) => {
    const { subject, lane } = rounds[0]!.trial
    return { name, title: titleOf({ subject, lane }), subject, lane, rounds }
  })
}

export const rowOf = (outcomes: readonly One[], part: Part, name: string): Row | undefined =>
  rowsOf(outcomes, part).find((row) => row.name === name)

/** NaN where it was not measured. */
export const median = (
  outcomes: readonly One[],
  part: Part,
  name: string,
  of: (data: Measured) => number,
): number => spread(rowOf(outcomes, part, name)?.rounds ?? [], of).median

export const spread = (rounds: readonly One[], of: (data: Measured) => number): Spread =>
  overRounds(rounds.map(({ data }) => of(data)))

const timesOf =
  (pick: (tally: Measured['tally']) => readonly Samples[], which: 'mean' | 'p50' | 'p95' | 'p99') =>
  (data: Measured): number =>
    summaryOf(pick(data.tally))[which]

export const p50 = timesOf(({ delivery }) => delivery, 'p50')
export const p95 = timesOf(({ delivery }) => delivery, 'p95')
export const p99 = timesOf(({ delivery }) => delivery, 'p99')
export const microsecondsADelivery = ({ serverCpuMs, tally }: Measured): number =>
  (serverCpuMs * 1000) / tally.delivered

export const ownP50 = timesOf(({ acknowledgement }) => acknowledgement, 'p50')
export const ownMean = timesOf(({ acknowledgement }) => acknowledgement, 'mean')

export const onRamDisk = `${withoutDisk.name}, ${withoutDisk.lane}`
