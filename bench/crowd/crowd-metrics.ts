/** Declares the metrics of a crowd's run, and says what a reader must know: what was lost, and where the crowd itself was late. */
import { count, metric, type Metric, type Rounds, time } from '../report/metrics.ts'
import type { Column } from '../report/section.ts'
import { summaryOf } from '../support/histogram.ts'
import type { Summary } from '../support/stats.ts'
import type { Params, Trial } from '../support/trial.ts'
import type { CrowdRun } from './crowd-run.ts'

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

/** Returns a sentence for each fault: `Diptych, WebSocket, many clients, round 1: …`. */
export const faultsIn = <Of extends Params>(
  rounds: Rounds<Of, CrowdRun>,
  whereOf: (trial: Trial<Of>) => string,
): string[] =>
  rounds.outcomes.flatMap(({ trial, data: { tally } }) => {
    const { lost, lateness } = tally
    const late = summaryOf(lateness).p99
    const { missing, doubled, disordered } = tally.audit
    const faults = [
      lost.count > 0 && `${lost.count} connections ended (${lost.why})`,
      missing + doubled + disordered > 0 &&
        `deliveries ${missing} missing, ${doubled} doubled, ${disordered} out of order`,
      late > LATE_MS && `the crowd itself was late, by ${late.toFixed(0)} ms at p99`,
    ]
    return faults.filter(Boolean).map((fault) => `${whereOf(trial)}, round ${trial.round}: ${fault}.`)
  })
