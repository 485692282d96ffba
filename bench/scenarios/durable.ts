/** From an edit to its being on the disk, beside the disk's own fsync. */
import { faultsOf } from '../crowd/faults.ts'
import { type Figures, measureRun } from '../crowd/measure.ts'
import { gather, settings, type Subject, subjectOf, titleOf } from '../crowd/subjects.ts'
import { plain } from '../report/figures.ts'
import { becauseBusy, sentences } from '../report/reasons.ts'
import { type Aim, type BarChart, type Headline, measuredAims, type Section } from '../report/section.ts'
import { samplesOf, summaryOf, type Samples } from '../support/histogram.ts'
import { number } from '../support/options.ts'
import { interleaved, type Outcome, scenario } from '../support/scenario.ts'
import { peer } from '../support/server.ts'
import { overRounds, type Spread } from '../support/stats.ts'

/** Hocuspocus stores 10 s after the first of many edits at the latest. */
const PATIENCE_MS = 30_000
const WARM_UP = 20
const FSYNCS = 100

const stored = (lane: string, debounce: string): Subject => ({
  name: 'hocuspocus',
  lane,
  dialect: 'hocuspocus stored',
  command: () => peer('hocuspocus', { DEBOUNCE: debounce, TELL_STORED: '1' }),
})

/** By its default. */
const late = 'debounce 2 s'

const measured: readonly Subject[] = [
  subjectOf({ subject: 'diptych', lane: 'websocket' }),
  stored(late, '2000'),
  stored('debounce 0', '0'),
]

interface About {
  readonly [name: string]: number
  readonly writers: number
  readonly interval: number
}

interface Measured extends Figures {
  /** Appends of 4 KiB with fdatasync, as far apart as the edits. */
  readonly fsync: Samples
}

type One = Outcome<About, Measured>

export const durable = scenario({
  name: 'durable',
  sentence:
    'From an edit to its being on the disk, beside Hocuspocus by its default and without its debounce.',
  options: {
    writers: number('writers in the busy document; the quiet one has one', 20, 1, 200),
    interval: number('ms between the edits of one writer', 100, 5, 5_000),
    edits: number('edits of each writer', 200, 10, 10_000),
    rounds: number('rounds; the order within them alternates: A B, B A', 3, 1, 100),
  },
  quick: { interval: '20', edits: '20', rounds: '1' },
  plan: ({ rounds, writers, interval }) =>
    [1, writers].flatMap((each) =>
      interleaved(rounds, measured).map(({ round, item: { name, lane } }) => ({
        subject: name,
        lane,
        params: { writers: each, interval },
        round,
      })),
    ),
  estimate: ({ lane, params: { interval } }, { edits }) =>
    (lane === late ? 6 : 3) + ((edits + WARM_UP + FSYNCS) * interval) / 1000,
  async run({ subject, lane, params: { writers, interval } }, ctx, { edits }): Promise<Measured> {
    const whom = measured.find((known) => known.name === subject && known.lane === lane)!
    const gathered = await gather(ctx, whom, { clients: writers, perDocument: writers })
    const load = { rhythm: 'spread', intervalMs: interval, patienceMs: PATIENCE_MS } as const
    await gathered.crowd.run({ ...load, edits: WARM_UP })
    const figures = await measureRun(ctx, gathered, { ...load, edits })
    return { ...figures, fsync: samplesOf(await ctx.fsync(FSYNCS, interval)) }
  },
  report,
})

function report(outcomes: readonly One[]): Section {
  const sizes = [...new Set(outcomes.map(({ trial }) => trial.params.writers))]
  const { interval } = outcomes[0]!.trial.params
  const aims = sizes.map((writers) => aimsOf(outcomes, writers))
  return {
    method: `Headless clients, a letter each every ${interval} ms. “Durable” is what a client is told: Diptych says so of each edit; Hocuspocus tells nobody, so its server here says after each store what it stored.`,
    tables: sizes.map((writers) => ({
      title: `Edit → durable, ${writers === 1 ? 'one writer' : `${writers} writers in one document`}`,
      columns: [
        { name: '' },
        ...(['p50', 'p95', 'p99'] as const).map((name) => ({ name, unit: 'ms', digits: 2 })),
        { name: 'server CPU an edit', unit: 'µs', digits: 0 },
      ],
      rows: [
        ...measured.map(({ name, lane }) => {
          const rounds = roundsOf(outcomes, writers, `${name}, ${lane}`)
          return [
            titleOf({ subject: name, lane }),
            ...(['p50', 'p95', 'p99'] as const).map((which) => timeOf(rounds, which)),
            overRounds(rounds.map(({ data }) => (data.serverCpuMs * 1000) / data.tally.sent)),
          ]
        }),
        [DISK, ...(['p50', 'p95', 'p99'] as const).map((which) => diskOf(outcomes, writers, which)), null],
      ],
    })),
    charts: [chartOf(outcomes, sizes)],
    aims: aims.flatMap((own) => own),
    headlines: sizes.flatMap((writers, index) => headlinesOf(outcomes, writers, aims[index]!)),
    notes: [
      settings['hocuspocus']!,
      ...outcomes.flatMap(({ trial: { subject, lane, params, round }, data }) =>
        faultsOf(`${titleOf({ subject, lane })}, ${whomOf(params.writers)}, round ${round}`, data.tally),
      ),
    ],
  }
}

const DISK = 'The disk itself (fdatasync)'

function chartOf(outcomes: readonly One[], sizes: readonly number[]): BarChart {
  const groups = sizes.flatMap((writers) => (['p50', 'p99'] as const).map((which) => ({ writers, which })))
  return {
    kind: 'bars',
    title: 'Edit → durable',
    unit: 'ms',
    scale: 'log',
    groups: groups.map(({ writers, which }) => `${whomOf(writers)}, ${which}`),
    series: [
      ...measured.map(({ name, lane }) => ({
        name: titleOf({ subject: name, lane }),
        values: groups.map(({ writers, which }) =>
          timeOf(roundsOf(outcomes, writers, `${name}, ${lane}`), which),
        ),
      })),
      { name: DISK, values: groups.map(({ writers, which }) => diskOf(outcomes, writers, which)) },
    ],
  }
}

const roundsOf = (outcomes: readonly One[], writers: number, whom: string): One[] =>
  outcomes.filter(
    ({ trial }) => trial.params.writers === writers && `${trial.subject}, ${trial.lane}` === whom,
  )

const timeOf = (rounds: readonly One[], which: 'p50' | 'p95' | 'p99'): Spread =>
  overRounds(rounds.map(({ data }) => summaryOf(data.tally.acknowledgement)[which]))

const diskOf = (outcomes: readonly One[], writers: number, which: 'p50' | 'p95' | 'p99'): Spread =>
  overRounds(
    outcomes
      .filter(({ trial }) => trial.params.writers === writers)
      .map(({ data }) => summaryOf([data.fsync])[which]),
  )

const whomOf = (writers: number): string => (writers === 1 ? 'one writer' : `${writers} writers`)

function aimsOf(outcomes: readonly One[], writers: number): Aim[] {
  const p50 = (whom: string) => timeOf(roundsOf(outcomes, writers, whom), 'p50').median
  const ours = roundsOf(outcomes, writers, 'diptych, websocket')
  const limits = [
    { of: 'debounce 2 s', limit: 0.01 },
    { of: 'debounce 0', limit: 1 },
  ]
  return measuredAims(
    limits.map(({ of, limit }) => ({
      name: `Edit → durable, ${whomOf(writers)}, p50, beside Hocuspocus with ${of}`,
      measured: p50('diptych, websocket') / p50(`hocuspocus, ${of}`),
      limit,
      unit: '×',
      reason: sentences(
        `Diptych syncs before it says so, and as far apart as these edits the disk’s own fdatasync took ${plain(diskOf(outcomes, writers, 'p50').median, 2)} ms at p50.`,
        becauseBusy(ours),
      ),
    })),
  )
}

function headlinesOf(outcomes: readonly One[], writers: number, aims: readonly Aim[]): Headline[] {
  const p50 = (whom: string) => timeOf(roundsOf(outcomes, writers, whom), 'p50').median
  const [ours, late, soon] = [
    p50('diptych, websocket'),
    p50('hocuspocus, debounce 2 s'),
    p50('hocuspocus, debounce 0'),
  ]
  if (Number.isNaN(ours)) return []
  const ms = (value: number) => `${plain(value, value < 100 ? 1 : 0)} ms`
  return [
    {
      what: `From an edit to its being on the disk, ${whomOf(writers)}, p50`,
      ours: ms(ours),
      beside: `Hocuspocus ${ms(late)}, without its delay ${ms(soon)}; the disk’s own fdatasync ${plain(diskOf(outcomes, writers, 'p50').median, 2)} ms`,
      aims,
      of: { writers },
    },
  ]
}
