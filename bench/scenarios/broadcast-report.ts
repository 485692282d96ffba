/** What the trials of `broadcast` say. Pure. */
import { faultsOf } from '../crowd/faults.ts'
import { settings } from '../crowd/subjects.ts'
import type { Second } from '../crowd/tally.ts'
import { broadcast as published, type Framework, type PublishedWay, sources } from '../published.ts'
import type { Cell, Chart, Section, Table } from '../report/section.ts'
import { aimsOf, headlinesOf } from './broadcast-aims.ts'
import {
  acknowledged,
  type Measured,
  microsecondsADelivery,
  onRamDisk,
  type One,
  p50,
  p95,
  p99,
  type Part,
  type Row,
  rowsOf,
  spread,
} from './broadcast-figures.ts'

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
  const aims = aimsOf(outcomes)
  return {
    method:
      'Headless clients in one document, each letter to all others; times from when it was due (open loop) to each of the others. Nobody shows who they are: presence is left out on all sides.',
    tables: [...tables, ...bytesTable(outcomes), publishedTable],
    charts: [...timesChart(outcomes), ...secondsChart(outcomes)],
    aims,
    headlines: headlinesOf(outcomes, aims),
    notes: [...whom.flatMap((name) => settings[name] ?? []), ...ramDiskNote(outcomes), ...faults],
  }
}

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
        spread(rounds, acknowledged),
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

/** What the RAM disk's row is for, or that it is not there. */
function ramDiskNote(outcomes: readonly One[]): string[] {
  const rows = rowsOf(outcomes, 'many')
  if (rows.length === 0) return []
  return rows.some(({ name }) => name === onRamDisk)
    ? [
        '“Data on a RAM disk” is Diptych with its data folder in memory, where a sync takes no time: the difference is the disk’s. No aim counts it.',
      ]
    : ['Diptych was not measured on a RAM disk: there was none here, or it was not asked for.']
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
