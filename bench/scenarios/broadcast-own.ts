/** One's own edit coming back, and the bytes of it all, in `broadcast`: ours beside what was published of the same load. Pure. */
import { programOf } from '../crowd/subjects.ts'
import { broadcast as published, type Framework, type PublishedWay, sources } from '../published.ts'
import { plain, short } from '../report/figures.ts'
import type { BarChart, Chart, Headline, Table } from '../report/section.ts'
import { type Measured, median, type One, ownMean, type Row, rowsOf, spread } from './broadcast-figures.ts'

/** What was published is of so many clients, so many messages of each; of anything else it is no comparison. */
const CLIENTS = 60
const MESSAGES_EACH = 30

const ways: readonly PublishedWay[] = [
  'polling',
  'long-polling',
  'HTTP streaming',
  'SSE',
  'WebSocket',
  'polling over WebSocket',
]

const wayOfLane: Readonly<Record<string, PublishedWay>> = {
  poll: 'polling',
  'long-poll': 'long-polling',
  stream: 'HTTP streaming',
  sse: 'SSE',
  websocket: 'WebSocket',
}

const OVER_H2 = /-h2$/
const wayOf = (lane: string): PublishedWay => wayOfLane[lane.replace(OVER_H2, '')]!

type ByWay = { readonly [Way in PublishedWay]?: number }

const frameworks = Object.keys(published.latency) as Framework[]

interface Ends {
  readonly least: number
  readonly most: number
  /** The least first. */
  readonly each: readonly { readonly name: Framework; readonly value: number }[]
}

/** Of everybody who published it of this way; undefined where nobody did. */
function endsOf(figures: Readonly<Record<Framework, ByWay>>, way: PublishedWay): Ends | undefined {
  const each = frameworks
    .flatMap((name) => ({ name, value: figures[name][way] ?? Number.NaN }))
    .filter(({ value }) => !Number.isNaN(value))
    .toSorted((a, b) => a.value - b.value)
  return each.length === 0 ? undefined : { least: each[0]!.value, most: each.at(-1)!.value, each }
}

const isAsPublished = (outcomes: readonly One[]): boolean =>
  outcomes.every(({ trial: { params } }) => params.clients === CLIENTS)

/** For a cell: `6–75.9`. */
function rangeOf(figures: Readonly<Record<Framework, ByWay>>, { lane, rounds }: Row): string | null {
  const ends = isAsPublished(rounds) ? endsOf(figures, wayOf(lane)) : undefined
  if (!ends) return null
  return ends.least === ends.most ? short(ends.least) : `${short(ends.least)}–${short(ends.most)}`
}

export const publishedMean = (row: Row): string | null => rangeOf(published.latency, row)

// Bytes

/** Both ways, in the time of the published figure: as many edits as were written there. */
const megabytes = ({ bytes, tally }: Measured, clients: number): number =>
  ((bytes!.up + bytes!.down) * clients * MESSAGES_EACH) / tally.sent / 1e6

export function bytesTable(outcomes: readonly One[]): Table[] {
  const rows = rowsOf(outcomes, 'bytes')
  if (rows.length === 0) return []
  const { clients } = rows[0]!.rounds[0]!.trial.params
  return [
    {
      title: 'Bytes on the wire',
      columns: [
        { name: '' },
        { name: 'up, an edit', unit: 'B' },
        { name: 'down, a delivery', unit: 'B' },
        { name: `both, ${clients} clients in 15 s`, unit: 'MB' },
        { name: 'published', unit: 'MB', published: true },
      ],
      rows: rows.map((row) => [
        row.title,
        spread(row.rounds, ({ bytes, tally }) => bytes!.up / tally.sent),
        spread(row.rounds, ({ bytes, tally }) => bytes!.down / tally.delivered),
        spread(row.rounds, (data) => megabytes(data, clients)),
        rangeOf(published.megabytes, row),
      ]),
      note: `Counted with everything that TCP carries, also acknowledgements; not TCP’s and IP’s own headers; of fewer seconds, brought to 15. Published: calculated, the least and the most of what ${sources.broadcast.short} has of that way; by WebSocket their 27 MB are 250 B a delivery, so their messages were longer than one letter: it is the ratios between ways that can be compared.`,
    },
  ]
}

// What was published, by itself

const byWay = (
  title: string,
  unit: string,
  figures: Readonly<Record<Framework, ByWay>>,
  note: string,
): Table => ({
  title,
  columns: [{ name: '' }, ...ways.map((name) => ({ name, unit, published: true }))],
  rows: frameworks
    .filter((name) => Object.keys(figures[name]).length > 0)
    .map((name) => [name, ...ways.map((way) => figures[name][way] ?? null)]),
  note,
})

export const publishedTables: readonly Table[] = [
  byWay(
    'Published: mean time of one’s own message coming back',
    'ms',
    published.latency,
    `${sources.broadcast.short}. ${sources.broadcast.setup}`,
  ),
  byWay('Published: server CPU', '%', published.cpu, `${sources.broadcast.short}.`),
  byWay('Published: bytes in 15 s', 'MB', published.megabytes, `${sources.broadcast.short}. Calculated.`),
]

// Charts

type Series = BarChart['series'][number]

const groups = ways.filter((way) => Object.values(wayOfLane).includes(way))

export function ownCharts(outcomes: readonly One[]): Chart[] {
  return [
    ...chartOf(
      'One’s own edit coming back, mean',
      'ms',
      rowsOf(outcomes, 'sixty'),
      ownMean,
      published.latency,
    ),
    ...chartOf(
      'Bytes of 15 s, both ways',
      'MB',
      rowsOf(outcomes, 'bytes'),
      (data) => megabytes(data, CLIENTS),
      published.megabytes,
    ),
  ]
}

function chartOf(
  title: string,
  unit: string,
  rows: readonly Row[],
  of: (data: Measured) => number,
  figures: Readonly<Record<Framework, ByWay>>,
): Chart[] {
  if (rows.length === 0 || !rows.every(({ rounds }) => isAsPublished(rounds))) return []
  const nameOf = ({ subject, lane }: Row) => `${programOf(subject)}${OVER_H2.test(lane) ? ', HTTP/2' : ''}`
  const ours = [...Map.groupBy(rows, nameOf)].map(([name, own]): Series => {
    const rowBy = (way: PublishedWay) => own.find(({ lane }) => wayOf(lane) === way)
    return { name, values: groups.map((way) => overAll(rowBy(way), of)) }
  })
  const theirs = frameworks.map((name): Series => ({
    name: `${name} 2014`,
    values: groups.map((way) => figures[name][way] ?? null),
    published: true,
  }))
  return [{ kind: 'bars', title, unit, scale: 'log', groups, series: [...ours, ...theirs] }]
}

const overAll = (row: Row | undefined, of: (data: Measured) => number) =>
  row ? spread(row.rounds, of) : null

// Headlines

/** The row of the README: what people know of this comparison. */
export function ownHeadlines(outcomes: readonly One[]): Headline[] {
  const sixty = outcomes.filter(({ trial }) => trial.params.part === 'sixty')
  if (!isAsPublished(sixty)) return []
  const rows = [
    { lane: 'websocket', words: 'by WebSocket' },
    { lane: 'sse-h2', words: 'by server-sent events over HTTP/2' },
    { lane: 'long-poll', words: 'by long polling' },
  ]
  return rows.flatMap(({ lane, words }) => ownHeadline(sixty, lane, words))
}

function ownHeadline(sixty: readonly One[], lane: string, words: string): Headline[] {
  const mean = (subject: string): number => median(sixty, 'sixty', `${subject}, ${lane}`, ownMean)
  const ours = mean('diptych')
  if (Number.isNaN(ours)) return []
  const beside = ['hocuspocus', 'socket.io']
    .filter((subject) => !Number.isNaN(mean(subject)))
    .map((subject) => `${programOf(subject)} ${plain(mean(subject))} ms`)
  return [
    {
      what: `${CLIENTS} clients, 2 edits a second each to all, one’s own coming back ${words}, mean`,
      ours: `${plain(ours)} ms`,
      ...(beside.length > 0 && { beside: beside.join('; ') }),
      published: publishedWords(wayOf(lane)),
      of: { part: 'sixty', lane },
    },
  ]
}

/** `Socket.IO 6 ms to Play 75.9 ms (Johannessen 2014)` */
function publishedWords(way: PublishedWay): string {
  const each = endsOf(published.latency, way)!.each.map(({ name, value }) => `${name} ${short(value)} ms`)
  const ends = [...new Set([each[0], each.at(-1)])]
  return `${ends.join(' to ')} (${sources.broadcast.short})`
}
