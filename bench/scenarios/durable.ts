/** The time from an edit to its being on the disk, beside the disk's own fsync. */
import { type CrowdRun, measureCrowdRun } from '../crowd/crowd-run.ts'
import { acknowledgement, cpuAnEdit, faultNotes } from '../crowd/crowd-metrics.ts'
import {
  type MeasuredServer,
  serverOf,
  settings,
  startWithCrowd,
  titleOf,
} from '../crowd/measured-servers.ts'
import { amountText, type Metric, type Rounds, time } from '../report/metrics.ts'
import { aim, type AimDeclaration, type SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
import { type Samples, samplesOf } from '../support/histogram.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import { peer } from '../support/server.ts'
import type { Params } from '../support/trial.ts'

/** Longer than 10 s, the latest that Hocuspocus stores after the first of many edits. */
const STORED_WITHIN_MS = 30_000
const WARM_UP = 20
const FSYNCS = 100

const storingHocuspocus = (lane: string, debounce: string): MeasuredServer => ({
  subject: 'hocuspocus',
  lane,
  protocol: 'hocuspocus stored',
  command: () => peer('hocuspocus', { DEBOUNCE: debounce, TELL_STORED: '1' }),
})

/** Hocuspocus's default. */
const DEBOUNCED = 'debounce 2 s'
const UNDEBOUNCED = 'debounce 0'

const measured: readonly MeasuredServer[] = [
  serverOf({ subject: 'diptych', lane: 'websocket' }),
  storingHocuspocus(DEBOUNCED, '2000'),
  storingHocuspocus(UNDEBOUNCED, '0'),
]

type DurableParams = {
  readonly writers: number
  readonly interval: number
}

interface DurableData extends CrowdRun {
  /** The time of 4 KiB appends with fdatasync, at the same interval as the edits. */
  readonly fsync: Samples
}

export const durableScenario = scenario({
  name: 'durable',
  sentence: 'From an edit to its being on the disk, beside Hocuspocus with its default delay and without it.',
  options: {
    writers: number('writers in the busy document; the quiet one has one', 20, 1, 200),
    interval: number('ms between the edits of one writer', 100, 5, 5_000),
    edits: number('edits of each writer', 200, 10, 10_000),
  },
  quick: { interval: '20', edits: '20' },
  plan: ({ writers: many, interval }) =>
    [1, many].map((writers) =>
      measured.map(({ subject, lane }) => ({ subject, lane, params: { writers, interval } })),
    ),
  estimate: ({ lane, params: { interval } }, { edits }) =>
    (lane === DEBOUNCED ? 6 : 3) + ((edits + WARM_UP + FSYNCS) * interval) / 1000,
  async run({ subject, lane, params: { writers, interval } }, ctx, { edits }): Promise<DurableData> {
    const server = measured.find((known) => known.subject === subject && known.lane === lane)!
    const running = await startWithCrowd(ctx, server, { clients: writers, perDocument: writers })
    const load = { rhythm: 'spread', intervalMs: interval, patienceMs: STORED_WITHIN_MS } as const
    const run = await measureCrowdRun(ctx, running, { ...load, warmUp: WARM_UP, edits })
    return { ...run, fsync: samplesOf(await ctx.fsync(FSYNCS, interval)) }
  },
  report,
})

type Durable = Rounds<DurableParams, DurableData>
type Percentile = 'p50' | 'p95' | 'p99'

const diskSync = (which: Percentile) => time(which, ({ fsync }: DurableData) => [fsync], { digits: 2 })

/** The row of the disk shows its own syncs, and the row of a server its edits. */
const DISK = 'The disk itself (fdatasync)'
const untilDurable = (which: Percentile): Metric<Params, DurableData> => ({
  ...acknowledgement(which, { digits: 2 }),
  of: (rounds) => (rounds.name === DISK ? diskSync(which) : acknowledgement(which)).of(rounds),
})
const cpuOfServer: Metric<Params, DurableData> = {
  ...cpuAnEdit,
  of: (rounds) => (rounds.name === DISK ? null : cpuAnEdit.of(rounds)),
}

const writersText = (writers: number): string => (writers === 1 ? 'one writer' : `${writers} writers`)

function report(all: Durable): SectionDeclaration {
  const sizes = all.rows('writers', undefined, writersText)
  const rowsOf = (size: Durable) => [
    ...measured.map(({ subject, lane }) => size.where({ subject, lane }, titleOf({ subject, lane }))),
    size.withName(DISK),
  ]
  const groups = sizes.flatMap((size) =>
    (['p50', 'p99'] as const).map((which) => ({ name: `${size.name}, ${which}`, rows: rowsOf(size), which })),
  )
  const aims = sizes.map(aimsOf)
  return {
    method: `Headless clients write a letter every ${all.params!.interval} ms each. An edit is durable when a client is told so. Diptych tells the author of each edit; Hocuspocus tells nobody, so its server here reports after each store what it stored.`,
    tables: sizes.map((size) =>
      table(
        `Edit → durable, ${size.name}${size.params!.writers === 1 ? '' : ' in one document'}`,
        rowsOf(size),
        [untilDurable('p50'), untilDurable('p95'), untilDurable('p99'), cpuOfServer],
      ),
    ),
    charts: [
      barChart(
        'Edit → durable',
        groups,
        rowsOf(all).map(({ name }, at) => ({
          name,
          of: ({ rows, which }: (typeof groups)[number]) => untilDurable(which).of(rows[at]!),
        })),
        { unit: 'ms', scale: 'log' },
      ),
    ],
    aims: aims.flat(),
    headlines: sizes.map((size, at) => headlineOf(size, aims[at]!)),
    notes: [
      settings['hocuspocus'],
      ...faultNotes(all, (trial) => `${titleOf(trial)}, ${writersText(trial.params.writers)}`),
    ],
  }
}

const p50 = acknowledgement('p50')
const oursOf = (size: Durable): Durable => size.where({ subject: 'diptych', lane: 'websocket' })
const hocuspocusOf = (size: Durable, lane: string): Durable => size.where({ subject: 'hocuspocus', lane })

const aimsOf = (size: Durable): AimDeclaration[] =>
  (
    [
      [DEBOUNCED, 0.01],
      [UNDEBOUNCED, 1],
    ] as const
  ).map(([lane, atMost]) =>
    aim(`Edit → durable, ${size.name}, p50, beside Hocuspocus with ${lane}`, p50, {
      atMost,
      of: oursOf(size),
      beside: hocuspocusOf(size, lane),
      reasons: [
        `Diptych syncs before it tells the author. At the interval of these edits, the disk’s own fdatasync took ${size.medianText(diskSync('p50'))} at p50.`,
      ],
    }),
  )

function headlineOf(size: Durable, aims: readonly AimDeclaration[]) {
  const ms = (rounds: Durable) => {
    const value = rounds.median(p50)
    return amountText(value, 'ms', value < 100 ? 1 : 0)
  }
  const debounced = ms(hocuspocusOf(size, DEBOUNCED))
  return {
    what: `From an edit to its being on the disk, ${size.name}, p50`,
    ours: ms(oursOf(size)),
    beside: [
      debounced && `Hocuspocus ${debounced}, without its delay ${ms(hocuspocusOf(size, UNDEBOUNCED))}`,
      `the disk’s own fdatasync ${size.medianText(diskSync('p50'))}`,
    ],
    aims,
    of: { writers: size.params!.writers },
  }
}
