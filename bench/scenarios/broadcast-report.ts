/** What the trials of `broadcast` say. Pure. */
import { faultsOf } from '../crowd/faults.ts'
import type { Figures } from '../crowd/measure.ts'
import { settings } from '../crowd/subjects.ts'
import type { Second } from '../crowd/tally.ts'
import { broadcast as published, type Framework, type PublishedWay, sources } from '../published.ts'
import { plain } from '../report/figures.ts'
import {
  aimAtMost,
  type Aim,
  type Cell,
  type Chart,
  type Headline,
  type Section,
  type Table,
} from '../report/section.ts'
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

type One = Outcome<About, Measured>

/** One subject by one lane, its rounds together. */
interface Row {
  readonly name: string
  readonly rounds: readonly One[]
}

const titles: Record<Exclude<Part, 'bytes'>, (clients: number) => string> = {
  sixty: (clients) => `${clients} clients, 2 edits a second each`,
  many: (clients) => `${clients} clients, 2 edits a second each`,
  'at once': (clients) => `${clients} clients, all at once`,
  browser: (clients) => `${clients} clients in the pages of one browser, two in each`,
}

export function report(outcomes: readonly One[]): Section {
  const tables = (['sixty', 'many', 'at once', 'browser'] as const).flatMap((part) =>
    timesTable(outcomes, part),
  )
  const faults = outcomes.flatMap(({ trial: { subject, lane, params, round }, data }) =>
    faultsOf(`${subject}, ${lane}, ${params.part}, round ${round}`, data.tally),
  )
  const whom = [...new Set(outcomes.map(({ trial }) => trial.subject))]
  return {
    method:
      'Headless clients in one document, each letter to all others; times from when it was due (open loop) to each of the others. Nobody shows who they are: presence is left out on all sides.',
    tables: [...tables, ...bytesTable(outcomes), publishedTable],
    charts: [...timesChart(outcomes), ...secondsChart(outcomes)],
    aims: aimsOf(outcomes),
    headlines: headlinesOf(outcomes),
    notes: [...whom.flatMap((name) => settings[name] ?? []), ...faults],
  }
}

function rowsOf(outcomes: readonly One[], part: Part): Row[] {
  const own = outcomes.filter(({ trial }) => trial.params.part === part)
  const byName = Map.groupBy(own, ({ trial }) => `${trial.subject}, ${trial.lane}`)
  return [...byName].map(([name, rounds]) => ({ name, rounds }))
}

const spread = (rounds: readonly One[], of: (data: Measured) => number): Spread =>
  overRounds(rounds.map(({ data }) => of(data)))

const timesOf =
  (pick: (tally: Measured['tally']) => readonly Samples[], which: 'p50' | 'p95' | 'p99') =>
  (data: Measured): number =>
    summaryOf(pick(data.tally))[which]

const p50 = timesOf(({ delivery }) => delivery, 'p50')
const p95 = timesOf(({ delivery }) => delivery, 'p95')
const p99 = timesOf(({ delivery }) => delivery, 'p99')
const microsecondsADelivery = ({ serverCpuMs, tally }: Measured): number =>
  (serverCpuMs * 1000) / tally.delivered

function timesTable(outcomes: readonly One[], part: Exclude<Part, 'bytes'>): Table[] {
  const rows = rowsOf(outcomes, part)
  if (rows.length === 0) return []
  const { clients } = rows[0]!.rounds[0]!.trial.params
  return [
    {
      title: titles[part](clients),
      columns: [
        { name: '' },
        { name: 'p50', unit: 'ms' },
        { name: 'p95', unit: 'ms' },
        { name: 'p99', unit: 'ms' },
        { name: 'own, p50', unit: 'ms' },
        { name: 'server CPU', unit: '%', digits: 0 },
        { name: 'a delivery', unit: 'µs' },
        { name: 'resident', unit: 'MiB', digits: 0 },
        { name: 'missing', digits: 0 },
        { name: 'doubled', digits: 0 },
        { name: 'out of order', digits: 0 },
      ],
      rows: rows.map(({ name, rounds }): Cell[] => [
        name,
        spread(rounds, p50),
        spread(rounds, p95),
        spread(rounds, p99),
        spread(
          rounds,
          timesOf(({ acknowledgement }) => acknowledgement, 'p50'),
        ),
        spread(rounds, ({ serverCpuMs, seconds }) => serverCpuMs / seconds / 10),
        spread(rounds, microsecondsADelivery),
        spread(rounds, ({ residentKiB }) => residentKiB / 1024),
        sumOver(rounds, ({ tally }) => tally.audit.missing),
        sumOver(rounds, ({ tally }) => tally.audit.doubled),
        sumOver(rounds, ({ tally }) => tally.audit.disordered),
      ]),
      note: '“Own” is the time to the acknowledgement of one’s own edit: with Diptych it is on the disk, with Hocuspocus in memory; others send the edit back.',
    },
  ]
}

const sumOver = (rounds: readonly One[], of: (data: Measured) => number): number =>
  rounds.reduce((sum, { data }) => sum + of(data), 0)

function bytesTable(outcomes: readonly One[]): Table[] {
  const rows = rowsOf(outcomes, 'bytes')
  if (rows.length === 0) return []
  return [
    {
      title: 'Bytes on the wire',
      columns: [{ name: '' }, { name: 'up, an edit', unit: 'B' }, { name: 'down, a delivery', unit: 'B' }],
      rows: rows.map(({ name, rounds }) => [
        name,
        spread(rounds, ({ bytes, tally }) => bytes!.up / tally.sent),
        spread(rounds, ({ bytes, tally }) => bytes!.down / tally.delivered),
      ]),
      note: 'With everything that TCP carries, also acknowledgements; not TCP’s and IP’s own headers.',
    },
  ]
}

const ways: readonly PublishedWay[] = [
  'polling',
  'long-polling',
  'HTTP streaming',
  'SSE',
  'WebSocket',
  'polling over WebSocket',
]

const cellOf = (ms: number | undefined, cpu: number | undefined): string | null =>
  ms === undefined ? null : `${ms}${cpu === undefined ? '' : `, ${cpu} % CPU`}`

type ByWay = { readonly [Way in PublishedWay]?: number }

const publishedTable: Table = {
  title: 'Published: mean time of one’s own message coming back, and server CPU',
  columns: [{ name: '' }, ...ways.map((name) => ({ name, unit: 'ms', published: true }))],
  rows: (Object.keys(published.latency) as Framework[]).map((name) => {
    const latency: ByWay = published.latency[name]
    const cpu: ByWay = published.cpu[name]
    return [name, ...ways.map((way) => cellOf(latency[way], cpu[way]))]
  }),
  note: `${sources.broadcast.short}. ${sources.broadcast.setup}`,
}

function timesChart(outcomes: readonly One[]): Chart[] {
  const rows = rowsOf(outcomes, 'sixty')
  if (rows.length === 0) return []
  return [
    {
      kind: 'bars',
      title: 'Time to each of the others',
      unit: 'ms',
      scale: 'log',
      groups: rows.map(({ name }) => name),
      series: [
        { name: 'p50', values: rows.map(({ rounds }) => spread(rounds, p50)) },
        { name: 'p99', values: rows.map(({ rounds }) => spread(rounds, p99)) },
      ],
    },
  ]
}

/** Of the first round: what was said and what came in each second. */
function secondsChart(outcomes: readonly One[]): Chart[] {
  const rows = rowsOf(outcomes, 'sixty')
  if (rows.length === 0) return []
  const seconds = ({ rounds }: Row): readonly Second[] => rounds[0]!.data.tally.perSecond.slice(0, -1)
  return [
    {
      kind: 'lines',
      title: 'Deliveries in each second',
      x: { name: 'second', unit: 's' },
      y: { name: 'deliveries', unit: '' },
      series: rows.map((row) => ({
        name: row.name,
        points: seconds(row).map(({ delivered }, second) => [second, delivered] as const),
      })),
    },
  ]
}

function headlinesOf(outcomes: readonly One[]): Headline[] {
  const rows = rowsOf(outcomes, 'many')
  const [ours, theirs] = ['diptych', 'hocuspocus'].map((name) =>
    rows.find((row) => row.name === `${name}, websocket`),
  )
  if (!ours || !theirs) return []
  const { clients } = ours.rounds[0]!.trial.params
  const cost = ({ rounds }: Row) => `${plain(spread(rounds, microsecondsADelivery).median)} µs`
  const time = ({ rounds }: Row) => `${plain(spread(rounds, p99).median)} ms`
  return [
    {
      what: `Server CPU a delivery, ${clients} clients writing to all`,
      ours: cost(ours),
      beside: `Hocuspocus ${cost(theirs)}`,
    },
    { what: 'The same, time to another client, p99', ours: time(ours), beside: `Hocuspocus ${time(theirs)}` },
  ]
}

function aimsOf(outcomes: readonly One[]): Aim[] {
  const median = (part: Part, name: string, of: (data: Measured) => number): number => {
    const rounds = rowsOf(outcomes, part).find((row) => row.name === `${name}, websocket`)?.rounds ?? []
    return spread(rounds, of).median
  }
  const many = (name: string) => median('many', name, microsecondsADelivery)
  const burst = (name: string) => median('at once', name, p99)
  const aims = [
    {
      name: 'Server CPU a delivery, beside Hocuspocus',
      measured: many('diptych') / many('hocuspocus'),
      limit: 0.5,
      unit: '×',
    },
    { name: 'p99 with many clients', measured: median('many', 'diptych', p99), limit: 16, unit: 'ms' },
    {
      name: 'p99 of all at once, beside Hocuspocus',
      measured: burst('diptych') / burst('hocuspocus'),
      limit: 0.33,
      unit: '×',
    },
  ]
  return aims.filter(({ measured }) => !Number.isNaN(measured)).map(aimAtMost)
}
