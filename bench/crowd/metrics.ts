/** The figures of a crowd's run, and what their reader has to know: what was lost, and where the crowd itself was too slow. */
import { count, metric, type Metric, type Rounds, time } from '../report/metrics.ts'
import type { Column } from '../report/section.ts'
import { summaryOf } from '../support/histogram.ts'
import type { Summary } from '../support/stats.ts'
import type { Params, Trial } from '../support/trial.ts'
import type { CrowdRun } from './measure.ts'

/** From when an edit was due to each of the others. */
export const delivery = (which: keyof Summary, column?: Partial<Column>): Metric<Params, CrowdRun> =>
  time(which, ({ tally }) => tally.delivery, column)

/** From when an edit was due until its author knows of it. */
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

/** The processor time of a program that the server cannot do without, such as its database. */
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

/** Exactly once, and in the order of each author. */
export const exactlyOnce: readonly Metric<Params, CrowdRun>[] = [
  count('missing', ({ tally }) => tally.audit.missing),
  count('doubled', ({ tally }) => tally.audit.doubled),
  count('out of order', ({ tally }) => tally.audit.disordered),
]

/** One frame: below it nobody sees the difference. */
const LATE_MS = 16

/** Sentences, each with where it was: `Diptych, WebSocket, many clients, round 1: …`. */
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
