/** Declares the metrics of a crowd's run, and says what a reader must know: what was lost, and where the crowd itself was late. */
import { faultNote } from '../report/fault-note.ts'
import { count, metric, type Metric, type Rounds, time } from '../report/metrics.ts'
import type { Column } from '../report/section.ts'
import { summaryOf } from '../support/histogram.ts'
import type { Summary } from '../support/stats.ts'
import type { Params, Trial } from '../support/trial.ts'
import type { CrowdRun } from './crowd-run.ts'
import type { CrowdTally } from './crowd-tally.ts'

/** The time from when an edit was due to its arrival at each other client. */
export const delivery = (which: keyof Summary, column?: Partial<Column>): Metric<Params, CrowdRun> =>
  time(which, ({ tally }) => tally.delivery, column)

/** The time from when an edit was due to its acknowledgement at the author. */
export const acknowledgement = (which: keyof Summary, column?: Partial<Column>): Metric<Params, CrowdRun> =>
  time(which, ({ tally }) => tally.acknowledgement, column)

export const serverCpu = metric<CrowdRun>(
  'server CPU',
  '%',
  ({ serverCpuMs, seconds }) => serverCpuMs / seconds / 10,
  { digits: 0 },
)

export const cpuAnEdit = metric<CrowdRun>(
  'server CPU an edit',
  'µs',
  ({ serverCpuMs, tally }) => (serverCpuMs * 1000) / tally.sent,
  { digits: 0 },
)

export const cpuADelivery = metric<CrowdRun>(
  'a delivery',
  'µs',
  ({ serverCpuMs, tally }) => (serverCpuMs * 1000) / tally.delivered,
)

/** The CPU time of a program that the server needs, such as its database. */
export const besideCpuADelivery = (program: string, title: string): Metric<Params, CrowdRun> =>
  metric(`${title}, a delivery`, 'µs', ({ besideCpuMs, tally }) => {
    const ms = besideCpuMs?.[program]
    return ms === undefined ? undefined : (ms * 1000) / tally.delivered
  })

export const resident = metric<{ readonly residentKiB: number }>(
  'resident',
  'MiB',
  ({ residentKiB }) => residentKiB / 1024,
  { digits: 0 },
)

/** Counts the edits that were not delivered exactly once and in their author's order. */
export const exactlyOnce: readonly Metric<Params, CrowdRun>[] = [
  count('missing', ({ tally }) => tally.audit.missing),
  count('doubled', ({ tally }) => tally.audit.doubled),
  count('out of order', ({ tally }) => tally.audit.disordered),
]

/** A crowd that is late by less than a frame does not count as late. */
const LATE_MS = 16

interface FaultKind {
  readonly title: string
  /** Undefined if the trial has no such fault. */
  describe(tally: CrowdTally): string | undefined
}

const faultKinds: readonly FaultKind[] = [
  {
    title: 'Connections ended',
    describe: ({ lost }) => (lost.count > 0 ? `${lost.count}, ${lost.why}` : undefined),
  },
  {
    title: 'Edits were not delivered exactly once and in order',
    describe({ audit: { missing, doubled, disordered } }) {
      const isFaulty = missing + doubled + disordered > 0
      return isFaulty ? `${missing} missing, ${doubled} doubled, ${disordered} out of order` : undefined
    },
  },
  {
    title: 'The crowd itself was late',
    describe({ lateness }) {
      const late = summaryOf(lateness).p99
      return late > LATE_MS ? `by ${late.toFixed(0)} ms at p99` : undefined
    },
  },
]

/** Returns a note for each kind of fault that a trial has. */
export const faultNotes = <Of extends Params>(
  rounds: Rounds<Of, CrowdRun>,
  nameOf: (trial: Trial<Of>) => string,
): (string | undefined)[] =>
  faultKinds.map(({ title, describe }) => {
    const faults = rounds.outcomes.flatMap(({ trial, data }) => {
      const fault = describe(data.tally)
      return fault === undefined ? [] : [`${nameOf(trial)}, round ${trial.round} (${fault})`]
    })
    return faultNote(title, faults, rounds.outcomes.length)
  })
