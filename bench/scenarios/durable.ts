/** From an edit to its being on the disk, beside the disk's own fsync. */
import { type CrowdRun, measureCrowdRun } from '../crowd/crowd-run.ts'
import { acknowledgement, cpuAnEdit, faultsIn } from '../crowd/crowd-metrics.ts'
import {
  type MeasuredServer,
  serverOf,
  settings,
  startWithCrowd,
  titleOf,
} from '../crowd/measured-servers.ts'
import { plain } from '../report/figures.ts'
import {
  bars,
  type Metric,
  ratio,
  type Rounds,
  type SectionDeclaration,
  table,
  time,
} from '../report/metrics.ts'
import { becauseBusy } from '../report/reasons.ts'
import { type Samples, samplesOf } from '../support/histogram.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import { peer } from '../support/server.ts'
import type { Params } from '../support/trial.ts'

/** Hocuspocus stores 10 s after the first of many edits at the latest. */
const PATIENCE_MS = 30_000
const WARM_UP = 20
const FSYNCS = 100

const stored = (lane: string, debounce: string): MeasuredServer => ({
  subject: 'hocuspocus',
  lane,
  protocol: 'hocuspocus stored',
  command: () => peer('hocuspocus', { DEBOUNCE: debounce, TELL_STORED: '1' }),
})

/** By its default. */
const late = 'debounce 2 s'

const measured: readonly MeasuredServer[] = [
  serverOf({ subject: 'diptych', lane: 'websocket' }),
  stored(late, '2000'),
  stored('debounce 0', '0'),
]

type DurableParams = {
  readonly writers: number
  readonly interval: number
}

interface DurableData extends CrowdRun {
  /** Appends of 4 KiB with fdatasync, as far apart as the edits. */
  readonly fsync: Samples
}

export const durable = scenario({
  name: 'durable',
  sentence:
    'From an edit to its being on the disk, beside Hocuspocus by its default and without its debounce.',
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
    (lane === late ? 6 : 3) + ((edits + WARM_UP + FSYNCS) * interval) / 1000,
  async run({ subject, lane, params: { writers, interval } }, ctx, { edits }): Promise<DurableData> {
    const server = measured.find((known) => known.subject === subject && known.lane === lane)!
    const running = await startWithCrowd(ctx, server, { clients: writers, perDocument: writers })
    const load = { rhythm: 'spread', intervalMs: interval, patienceMs: PATIENCE_MS } as const
    const run = await measureCrowdRun(ctx, running, { ...load, warmUp: WARM_UP, edits })
    return { ...run, fsync: samplesOf(await ctx.fsync(FSYNCS, interval)) }
  },
  report,
})

type Durable = Rounds<DurableParams, DurableData>
type Percentile = 'p50' | 'p95' | 'p99'

const disk = (which: Percentile) => time(which, ({ fsync }: DurableData) => [fsync])

/** A row of a server shows its edits, the row of the disk its own syncs. */
const DISK = 'The disk itself (fdatasync)'
const toDisk = (which: Percentile): Metric<Params, DurableData> => ({
  ...acknowledgement(which, { digits: 2 }),
  of: (rounds) => (rounds.name === DISK ? disk(which) : acknowledgement(which)).of(rounds),
})
const cost: Metric<Params, DurableData> = {
  ...cpuAnEdit,
  of: (rounds) => (rounds.name === DISK ? null : cpuAnEdit.of(rounds)),
}

const whose = (writers: number): string => (writers === 1 ? 'one writer' : `${writers} writers`)

function report(all: Durable): SectionDeclaration {
  const sizes = all.rows('writers', undefined, whose)
  const rowsOf = (size: Durable) => [
    ...measured.map(({ subject, lane }) => size.where({ subject, lane }, titleOf({ subject, lane }))),
    size.named(DISK),
  ]
  const groups = sizes.flatMap((size) =>
    (['p50', 'p99'] as const).map((which) => ({ name: `${size.name}, ${which}`, rows: rowsOf(size), which })),
  )
  const aims = sizes.map(aimsOf)
  return {
    method: `Headless clients, a letter each every ${all.params!.interval} ms. “Durable” is what a client is told: Diptych says so of each edit; Hocuspocus tells nobody, so its server here says after each store what it stored.`,
    tables: sizes.map((size) =>
      table(
        `Edit → durable, ${size.name}${size.params!.writers === 1 ? '' : ' in one document'}`,
        rowsOf(size),
        [toDisk('p50'), toDisk('p95'), toDisk('p99'), cost],
      ),
    ),
    charts: [
      bars(
        'Edit → durable',
        groups,
        rowsOf(all).map(({ name }, at) => ({
          name,
          of: ({ rows, which }: (typeof groups)[number]) => toDisk(which).of(rows[at]!),
        })),
        { unit: 'ms', scale: 'log' },
      ),
    ],
    aims: aims.flat(),
    headlines: sizes.map((size, at) => headlineOf(size, aims[at]!)),
    notes: [
      settings['hocuspocus'],
      ...faultsIn(all, (trial) => `${titleOf(trial)}, ${whose(trial.params.writers)}`),
    ],
  }
}

const p50 = acknowledgement('p50')
const ours = { subject: 'diptych', lane: 'websocket' } as const
const lanesOfHocuspocus = { [late]: 0.01, 'debounce 0': 1 } as const

const aimsOf = (size: Durable) =>
  Object.entries(lanesOfHocuspocus).map(([lane, limit]) => ({
    name: `Edit → durable, ${size.name}, p50, beside Hocuspocus with ${lane}`,
    measured: ratio(p50, size.where(ours), size.where({ subject: 'hocuspocus', lane })),
    limit,
    unit: '×',
    reason: [
      `Diptych syncs before it says so, and as far apart as these edits the disk’s own fdatasync took ${plain(size.median(disk('p50')), 2)} ms at p50.`,
      becauseBusy(size.where(ours)),
    ],
  }))

function headlineOf(size: Durable, aims: ReturnType<typeof aimsOf>) {
  const ms = (rounds: Durable) => {
    const value = rounds.median(p50)
    return Number.isNaN(value) ? undefined : `${plain(value, value < 100 ? 1 : 0)} ms`
  }
  const [slow, soon] = Object.keys(lanesOfHocuspocus).map((lane) =>
    ms(size.where({ subject: 'hocuspocus', lane })),
  )
  return {
    what: `From an edit to its being on the disk, ${size.name}, p50`,
    ours: ms(size.where(ours)),
    beside: [
      slow && `Hocuspocus ${slow}, without its delay ${soon}`,
      `the disk’s own fdatasync ${plain(size.median(disk('p50')), 2)} ms`,
    ],
    aims,
    of: { writers: size.params!.writers },
  }
}
