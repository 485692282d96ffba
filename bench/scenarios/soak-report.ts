import { plain } from '../report/figures.ts'
import type { Aim, Section } from '../report/section.ts'
import type { Outcome } from '../support/scenario.ts'
import { type Slope, slopeOf } from '../support/slope.ts'
import { overRounds } from '../support/stats.ts'

export interface Params extends Record<string, number> {
  readonly seconds: number
  readonly documents: number
}

export interface Sample {
  /** ms since the warm-up was over. */
  readonly at: number
  readonly residentKiB: number
  readonly anonymousKiB: number
  readonly cpuMs: number
}

export interface Data {
  readonly samples: readonly Sample[]
  readonly visits: number
  readonly edits: number
}

type Outcomes = readonly Outcome<Params, Data>[]

const HOUR_MS = 3_600_000
/** What is collected a little later makes samples next to each other alike: the noise is judged by means of a minute each. */
const MINUTE_MS = 60_000

export function reportOf(outcomes: Outcomes): Section {
  const slopes = outcomes.map(({ data }) => slopeOf(minutes(data.samples)))
  const most = slopes.toSorted((a, b) => b.slope - a.slope)[0]!
  const over = (figure: (data: Data) => number) => overRounds(outcomes.map(({ data }) => figure(data)))
  const resident = ({ samples }: Data) => samples.map(({ residentKiB }) => residentKiB / 1024)
  const aims = aimsOf(most, outcomes)
  return {
    method:
      'Clients in Node, four to a document, by all transports in turn: each visit of 20 s is to a new document, so that what is alive stays as much. The server’s memory is read every 5 s. The slope is that of least squares over means of a minute, ± what is two-sided 95 % of its noise.',
    tables: [
      {
        title: 'Memory of the server',
        columns: [{ name: 'what' }, { name: 'figure', digits: 1 }],
        rows: [
          ['minutes', over(({ samples }) => (samples.at(-1)?.at ?? 0) / MINUTE_MS)],
          ['visits', over(({ visits }) => visits)],
          ['edits', over(({ edits }) => edits)],
          ['resident at the start, MiB', over((data) => resident(data)[0] ?? Number.NaN)],
          ['resident at the end, MiB', over((data) => resident(data).at(-1) ?? Number.NaN)],
          ['most resident, MiB', over((data) => Math.max(...resident(data)))],
          ['slope, MiB an hour', most.slope * HOUR_MS],
          ['± noise, MiB an hour', most.bound * HOUR_MS],
          ['CPU, % of a core', over(cpuShare)],
        ],
      },
    ],
    charts: [
      {
        kind: 'lines',
        title: 'Resident memory of the server',
        x: { name: 'time', unit: 'min' },
        y: { name: 'resident', unit: 'MiB' },
        series: outcomes.map(({ trial, data }) => ({
          name: `round ${trial.round}`,
          points: data.samples.map(({ at, residentKiB }) => [at / MINUTE_MS, residentKiB / 1024] as const),
        })),
      },
    ],
    aims,
    headlines: [
      {
        what: 'Slope of the server’s memory under visits that come and go',
        ours: Number.isFinite(most.bound)
          ? `${(most.slope * HOUR_MS).toFixed(1)} ± ${(most.bound * HOUR_MS).toFixed(1)} MiB an hour`
          : 'too short to tell',
        aims,
      },
    ],
    notes: Number.isFinite(most.bound)
      ? []
      : [
          'Fewer than four minutes: the slope cannot be told from noise, so its aim is neither reached nor missed.',
        ],
  }
}

/** Reached where the slope is no greater than what noise alone would make of one that is 0; none where that is unknown. */
function aimsOf({ slope, bound }: Slope, outcomes: Outcomes): Aim[] {
  if (!Number.isFinite(bound)) return []
  return [
    {
      name: 'slope of resident memory is 0 within noise',
      measured: slope * HOUR_MS,
      limit: bound * HOUR_MS,
      unit: 'MiB an hour',
      sum: 'two-sided 95 % of the noise',
      reached: slope <= bound,
      reason: becauseGrowing(outcomes),
    },
  ]
}

/** Whether it still grows in the end, and by what part of the memory, which is what a leak would do and a cache would not. */
function becauseGrowing(outcomes: Outcomes): string {
  const late = outcomes.map(({ data: { samples } }) => {
    const half = minutes(samples)
    return slopeOf(half.slice(Math.floor(half.length / 2)))
  })
  const { slope, bound } = late.toSorted((a, b) => b.slope - a.slope)[0]!
  const words = `In the second half alone it was ${plain(slope * HOUR_MS)} ± ${plain(bound * HOUR_MS)} MiB an hour`
  if (!Number.isFinite(bound)) return 'It grew, and too briefly to tell whether it goes on.'
  return slope > bound
    ? `${words}: it still grew in the end, as memory does that is kept for good.`
    : `${words}: it had levelled off, as caches and the garbage collector’s heap do once they are warm.`
}

const cpuShare = ({ samples }: Data): number => {
  const [first, last] = [samples[0], samples.at(-1)]
  return first && last ? (100 * (last.cpuMs - first.cpuMs)) / Math.max(1, last.at - first.at) : Number.NaN
}

/** Means of a minute each, in MiB; one that is not whole is left out. */
function minutes(samples: readonly Sample[]): (readonly [at: number, mib: number])[] {
  const whole = Math.floor(((samples.at(-1)?.at ?? 0) + 1) / MINUTE_MS)
  return Array.from({ length: whole }, (_, minute) => {
    const own = samples.filter(({ at }) => Math.floor(at / MINUTE_MS) === minute)
    const mean = own.reduce((sum, { residentKiB }) => sum + residentKiB, 0) / own.length
    return [(minute + 0.5) * MINUTE_MS, mean / 1024] as const
  })
}
