/** What the trials of `broadcast` say. Pure. */
import { faultsOf } from '../crowd/faults.ts'
import type { Second } from '../crowd/seconds.ts'
import { settings, titleOf } from '../crowd/subjects.ts'
import type { Cell, Chart, Section, Table } from '../report/section.ts'
import { overRounds } from '../support/stats.ts'
import { aimsOf, headlinesOf } from './broadcast-aims.ts'
import {
  type Measured,
  microsecondsADelivery,
  onRamDisk,
  type One,
  ownMean,
  ownP50,
  p50,
  p95,
  p99,
  type Part,
  type Row,
  rowsOf,
  spread,
} from './broadcast-figures.ts'
import { bytesTable, ownCharts, publishedMean, publishedTables } from './broadcast-own.ts'

const titles: Record<Exclude<Part, 'bytes'>, (clients: number) => string> = {
  sixty: (clients) => `${clients} clients, 2 edits a second each`,
  many: (clients) => `${clients} clients, 2 edits a second each`,
  'at once': (clients) => `${clients} clients, all at once`,
  browser: (clients) => `${clients} clients in the pages of one browser, two in each`,
}

/** For a sentence. */
const words: Record<Part, string> = {
  sixty: 'on every transport',
  many: 'many clients',
  'at once': 'all at once',
  bytes: 'through the proxy',
  browser: 'in pages',
}

export function report(outcomes: readonly One[]): Section {
  const tables = (['sixty', 'many', 'at once', 'browser'] as const).flatMap((part) =>
    timesTable(outcomes, part),
  )
  const faults = outcomes.flatMap(({ trial: { subject, lane, params, round }, data }) =>
    faultsOf(`${titleOf({ subject, lane })}, ${words[params.part]}, round ${round}`, data.tally),
  )
  const whom = [...new Set(outcomes.map(({ trial }) => trial.subject))]
  const aims = aimsOf(outcomes)
  return {
    method:
      'Headless clients in one document, each letter to all others; times from when it was due (open loop) to each of the others. Nobody shows who they are: presence is left out on all sides.',
    tables: [...tables, ...bytesTable(outcomes), ...publishedTables],
    charts: [
      ...timesChart(outcomes),
      ...ownCharts(outcomes),
      ...secondsCharts(outcomes, 'sixty'),
      ...secondsCharts(outcomes, 'browser'),
    ],
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
        { name: 'own, mean', unit: 'ms' },
        ...(part === 'sixty' ? [{ name: 'own, mean, published', unit: 'ms', published: true }] : []),
        { name: 'server CPU', unit: '%', digits: 0 },
        { name: 'a delivery', unit: 'µs' },
        { name: 'resident', unit: 'MiB', digits: 0 },
        { name: 'missing', digits: 0 },
        { name: 'doubled', digits: 0 },
        { name: 'out of order', digits: 0 },
      ],
      rows: rows.map((row): Cell[] => timesRow(row, part)),
      note:
        '“Own” is the time to the acknowledgement of one’s own edit: with Diptych it is on the disk, with Hocuspocus in memory; others send the edit back.' +
        (part === 'sixty'
          ? ' What was published: the least and the most of five frameworks by that way.'
          : ''),
    },
  ]
}

const timesRow = (row: Row, part: Part): Cell[] => {
  const { title, rounds } = row
  return [
    title,
    spread(rounds, p50),
    spread(rounds, p95),
    spread(rounds, p99),
    spread(rounds, ownP50),
    spread(rounds, ownMean),
    ...(part === 'sixty' ? [publishedMean(row)] : []),
    spread(rounds, ({ serverCpuMs, seconds }) => serverCpuMs / seconds / 10),
    spread(rounds, microsecondsADelivery),
    spread(rounds, ({ residentKiB }) => residentKiB / 1024),
    sumOver(rounds, ({ tally }) => tally.audit.missing),
    sumOver(rounds, ({ tally }) => tally.audit.doubled),
    sumOver(rounds, ({ tally }) => tally.audit.disordered),
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

function timesChart(outcomes: readonly One[]): Chart[] {
  const rows = rowsOf(outcomes, 'sixty')
  if (rows.length === 0) return []
  return [
    {
      kind: 'bars',
      title: 'Time to each of the others',
      unit: 'ms',
      scale: 'log',
      groups: rows.map(({ title }) => title),
      series: [
        { name: 'p50', values: rows.map(({ rounds }) => spread(rounds, p50)) },
        { name: 'p99', values: rows.map(({ rounds }) => spread(rounds, p99)) },
      ],
    },
  ]
}

const seconds: Readonly<Record<keyof Second, string>> = {
  sent: 'Edits sent in each second',
  acknowledged: 'Edits that the server has told their author of in each second',
  delivered: 'Deliveries in each second',
}

/** Of each second the median of the rounds. */
function secondsCharts(outcomes: readonly One[], part: 'sixty' | 'browser'): Chart[] {
  const rows = rowsOf(outcomes, part)
  if (rows.length === 0) return []
  return (['sent', 'acknowledged', 'delivered'] as const).map((what) => ({
    kind: 'lines',
    title: `${seconds[what]}${part === 'browser' ? ', clients in pages' : ''}`,
    x: { name: 'second', unit: '' },
    y: { name: what, unit: '' },
    series: rows.map((row) => ({ name: row.title, points: pointsOf(row, what) })),
  }))
}

function pointsOf({ rounds }: Row, what: keyof Second): (readonly [number, number])[] {
  // The last one is what came after the end.
  const all = rounds.map(({ data }) => data.tally.perSecond.slice(0, -1))
  const least = Math.min(...all.map(({ length }) => length))
  return Array.from({ length: least }, (_, second) => [
    second,
    overRounds(all.map((round) => round[second]![what])).median,
  ])
}
