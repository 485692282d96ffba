/** What `broadcast` measures, aims at and shows, beside what was published of the same load. Pure. */
import {
  acknowledgement,
  cpuADelivery,
  delivery,
  exactlyOnce,
  faultsIn,
  resident,
  serverCpu,
} from '../crowd/crowd-metrics.ts'
import type { SecondCounts } from '../crowd/second-counters.ts'
import { programOf, settingsOf, titleOf, withoutDisk } from '../crowd/measured-servers.ts'
import {
  broadcast as published,
  type Framework,
  frameworks,
  type PublishedWay,
  ranked,
  rangeWords,
  sources,
} from '../published.ts'
import { plain, short } from '../report/figures.ts'
import {
  type AimDeclaration,
  bars,
  called,
  metric,
  type Metric,
  publishedFigure,
  ratio,
  type Rounds,
  type SectionDeclaration,
  table,
} from '../report/metrics.ts'
import { becauseBusy, becauseOfDisk } from '../report/reasons.ts'
import type { BarChart, Chart, Table } from '../report/section.ts'
import type { ProxyBytes } from '../support/counting-proxy.ts'
import { overRounds } from '../support/stats.ts'
import { nodesReport, type NodesRun } from './broadcast-nodes.ts'

/**
 * `sixty` repeats the published comparison on every transport, `many` is the load of the aim, `at once` has everybody write in the
 * same moment, `bytes` counts what `sixty` says, through a proxy that would falsify its times, and `browser` is `sixty` in pages.
 * `nodes` and `nodes at once` are the same loads on nodes that share a PostgreSQL.
 */
export const parts = ['sixty', 'many', 'at once', 'bytes', 'browser', 'nodes', 'nodes at once'] as const
export type BroadcastPart = (typeof parts)[number]

export type BroadcastParams = {
  readonly part: BroadcastPart
  readonly clients: number
}

export interface BroadcastData extends NodesRun {
  readonly bytes?: ProxyBytes
}

type Broadcast = Rounds<BroadcastParams, BroadcastData>

/** As the title of a table says it, and as a sentence does. */
const partWords: Readonly<Record<BroadcastPart, { readonly title: string; readonly short: string }>> = {
  sixty: { title: 'clients, 2 edits a second each', short: 'on every transport' },
  many: { title: 'clients, 2 edits a second each', short: 'many clients' },
  'at once': { title: 'clients, all at once', short: 'all at once' },
  bytes: { title: '', short: 'through the proxy' },
  nodes: { title: '', short: 'on nodes' },
  'nodes at once': { title: '', short: 'on nodes, all at once' },
  browser: { title: 'clients in the pages of one browser, two in each', short: 'in pages' },
}

const ownMean = acknowledgement('mean', { name: 'own, mean' })
const timeColumns = (part: BroadcastPart): readonly Metric<BroadcastParams, BroadcastData>[] => [
  delivery('p50'),
  delivery('p95'),
  delivery('p99'),
  acknowledgement('p50', { name: 'own, p50' }),
  ownMean,
  ...(part === 'sixty' ? [publishedRange('own, mean, published', 'ms', published.latency)] : []),
  serverCpu,
  cpuADelivery,
  resident,
  ...exactlyOnce,
]

export function report(all: Broadcast): SectionDeclaration {
  const [sixty, many, atOnce, bytes, browser, onNodes, onNodesAtOnce] = all.split('part', parts)
  const aims = aimsOf(sixty, many, atOnce)
  const nodes = nodesReport(onNodes, onNodesAtOnce)
  const rows = sixty.by(titleOf)
  return {
    method:
      'Headless clients in one document, each letter to all others; times from when it was due (open loop) to each of the others. Nobody shows who they are: presence is left out on all sides.',
    tables: [
      ...[sixty, many, atOnce, browser].map(timesTable),
      ...nodes.tables,
      bytesTable(bytes),
      ...publishedTables,
    ],
    charts: [
      bars('Time to each of the others', rows, [delivery('p50'), delivery('p99')], { scale: 'log' }),
      besidePublished('One’s own edit coming back, mean', sixty, ownMean, published.latency),
      besidePublished('Bytes of 15 s, both ways', bytes, megabytes, published.megabytes),
      ...secondsCharts(sixty, ''),
      ...secondsCharts(browser, ', clients in pages'),
    ],
    aims: [...Object.values(aims), ...Object.values(nodes.aims)],
    headlines: [...headlinesOf(sixty, many, atOnce, aims), ...nodes.headlines],
    notes: [
      ...settingsOf(all),
      ...nodes.notes,
      many.isEmpty ? undefined : ramDiskNote(many),
      ...faultsIn(all, (trial) => `${titleOf(trial)}, ${partWords[trial.params.part].short}`),
    ],
  }
}

function timesTable(rounds: Broadcast): Table | undefined {
  if (!rounds.params) return undefined
  const { part, clients } = rounds.params
  const note =
    '“Own” is the time to the acknowledgement of one’s own edit: with Diptych it is on the disk, with Hocuspocus in memory; others send the edit back.'
  return table(`${clients} ${partWords[part].title}`, rounds.by(titleOf), timeColumns(part), {
    note:
      part === 'sixty'
        ? `${note} What was published: the least and the most of five frameworks by that way.`
        : note,
  })
}

const withRamDisk = (rounds: Broadcast): Broadcast =>
  rounds.where({ subject: 'diptych', lane: withoutDisk.lane })

/** What the RAM disk's row is for, or that it is not there. */
const ramDiskNote = (many: Broadcast): string =>
  withRamDisk(many).isEmpty
    ? 'Diptych was not measured on a RAM disk: there was none here, or it was not asked for.'
    : '“Data on a RAM disk” is Diptych with its data folder in memory, where a sync takes no time: the difference is the disk’s. No aim counts it.'

const secondTitles: Readonly<Record<keyof SecondCounts, string>> = {
  sent: 'Edits sent in each second',
  acknowledged: 'Edits that the server has told their author of in each second',
  delivered: 'Deliveries in each second',
}

/** Of each second the median of the rounds. */
function secondsCharts(rounds: Broadcast, where: string): Chart[] {
  if (rounds.isEmpty) return []
  return (Object.keys(secondTitles) as (keyof SecondCounts)[]).map((what) => ({
    kind: 'lines',
    title: `${secondTitles[what]}${where}`,
    x: { name: 'second', unit: '' },
    y: { name: what, unit: '' },
    series: rounds.by(titleOf).map((row) => ({ name: row.name, points: pointsOf(row, what) })),
  }))
}

function pointsOf({ data }: Broadcast, what: keyof SecondCounts): (readonly [number, number])[] {
  // The last one is what came after the end.
  const all = data.map(({ tally }) => tally.perSecond.slice(0, -1))
  const least = Math.min(...all.map(({ length }) => length))
  return Array.from({ length: least }, (_, second) => [
    second,
    overRounds(all.map((round) => round[second]![what])).median,
  ])
}

// Aims

const p99 = delivery('p99')
const ours = (rounds: Broadcast): Broadcast => rounds.where({ subject: 'diptych', lane: 'websocket' })
const stock = (rounds: Broadcast): Broadcast => rounds.where({ subject: 'diptych', lane: 'stock door' })
const theirs = (rounds: Broadcast): Broadcast => rounds.where({ subject: 'hocuspocus', lane: 'websocket' })
const relay = (rounds: Broadcast): Broadcast => rounds.where({ subject: 'relay', lane: 'websocket' })

function aimsOf(sixty: Broadcast, many: Broadcast, atOnce: Broadcast) {
  const stockAim = (name: string, rounds: Broadcast) => ({
    name,
    measured: ratio(cpuADelivery, stock(rounds), theirs(rounds)),
    limit: 1,
    unit: '×',
    reason: becauseBusy(stock(rounds)),
  })
  return {
    cpu: {
      name: 'Server CPU a delivery, beside Hocuspocus',
      measured: ratio(cpuADelivery, ours(many), theirs(many)),
      limit: 0.5,
      unit: '×',
      reason: [
        besideRelay(many, cpuADelivery, 'µs', 2, ' Diptych also checks, numbers and stores each edit.'),
        becauseBusy(ours(many)),
      ],
    },
    stockSixty: stockAim('Server CPU a delivery to stock clients, beside Hocuspocus', sixty),
    stockMany: stockAim('The same with many clients', many),
    p99: {
      name: 'p99 with many clients',
      measured: ours(many).median(p99),
      limit: 16,
      unit: 'ms',
      reason: [becauseOfDisk(many), withoutItsDisk(many), becauseBusy(ours(many))],
    },
    atOnce: {
      name: 'p99 of all at once, beside Hocuspocus',
      measured: ratio(p99, ours(atOnce), theirs(atOnce)),
      limit: 0.33,
      unit: '×',
      reason: [burstWork(atOnce), besideRelay(atOnce, p99, 'ms', 0, ''), becauseBusy(ours(atOnce))],
    },
  }
}

/** What passing on costs by itself, one send for each receiver. */
function besideRelay(
  rounds: Broadcast,
  figure: Metric<BroadcastParams, BroadcastData>,
  unit: string,
  digits: number,
  more: string,
): string {
  const times = ratio(figure, relay(rounds), theirs(rounds))
  return Number.isFinite(times)
    ? `A relay that understands and keeps nothing took ${plain(relay(rounds).median(figure), digits)} ${unit} in the same run, ${plain(times, 2)} × of Hocuspocus.${more}`
    : ''
}

function withoutItsDisk(many: Broadcast): string {
  const time = withRamDisk(many).words(p99)
  return time
    ? `With its data on a RAM disk, where a sync takes no time, Diptych had ${time} in the same run.`
    : ''
}

/** The last of a burst waits for all of it. */
function burstWork(atOnce: Broadcast): string {
  const clients = atOnce.params?.clients ?? 0
  const deliveries = clients * (clients - 1)
  const seconds = (rounds: Broadcast) => {
    const each = rounds.median(cpuADelivery)
    return `${plain(each, 2)} µs, ${plain((deliveries * each) / 1e6, 2)} s`
  }
  return ours(atOnce).isEmpty || theirs(atOnce).isEmpty
    ? ''
    : `A burst is ${plain(deliveries, 0)} deliveries, which take that much of a core by themselves: at Diptych’s ${seconds(ours(atOnce))}; at Hocuspocus’s ${seconds(theirs(atOnce))}.`
}

// Headlines

function headlinesOf(sixty: Broadcast, many: Broadcast, atOnce: Broadcast, aims: ReturnType<typeof aimsOf>) {
  const clients = (rounds: Broadcast) => plain(rounds.params?.clients ?? 0, 0)
  const row = (
    what: string,
    rounds: Broadcast,
    words: (of: Broadcast, whose?: string) => string | undefined,
    own: AimDeclaration,
    beside?: string,
  ) => {
    const peer = words(theirs(rounds), 'Hocuspocus')
    const ownWords = peer && words(ours(rounds))
    return {
      what,
      ours: ownWords,
      beside: [peer, beside],
      aims: [own],
      of: rounds.params && { part: rounds.params.part },
    }
  }
  const micros = (of: Broadcast, whose?: string) => of.words(cpuADelivery, whose, 2)
  const ms = (of: Broadcast, whose?: string) => of.words(p99, whose)
  return [
    row(`Server CPU a delivery, ${clients(many)} clients writing to all`, many, micros, aims.cpu),
    row(
      'The same, time to another client, p99',
      many,
      ms,
      aims.p99,
      ms(withRamDisk(many), 'Diptych on a RAM disk'),
    ),
    row(`${clients(atOnce)} clients writing at once, time to another client, p99`, atOnce, ms, aims.atOnce),
    ...(isAsPublished(sixty) ? ownHeadlines(sixty) : []),
  ]
}

/** What people know of this comparison: one's own edit coming back. */
function ownHeadlines(sixty: Broadcast) {
  const lanes = {
    websocket: 'by WebSocket',
    'sse-h2': 'by server-sent events over HTTP/2',
    'long-poll': 'by long polling',
  } as const
  return Object.entries(lanes).map(([lane, words]) => {
    const ms = (subject: string, whose?: string) => sixty.where({ subject, lane }).words(ownMean, whose)
    return {
      what: `${CLIENTS} clients, 2 edits a second each to all, one’s own coming back ${words}, mean`,
      ours: ms('diptych'),
      beside: ['hocuspocus', 'socket.io'].map((subject) => ms(subject, programOf(subject))),
      published: rangeWords(allOf(published.latency, wayOf(lane)), (value) => `${short(value)} ms`),
      of: { part: 'sixty', lane },
    }
  })
}

// What was published

/** What was published is of so many clients, so many messages of each; of anything else it is no comparison. */
const CLIENTS = 60
const MESSAGES_EACH = 30

const wayOfLane: Readonly<Record<string, PublishedWay>> = {
  poll: 'polling',
  'long-poll': 'long-polling',
  stream: 'HTTP streaming',
  sse: 'SSE',
  websocket: 'WebSocket',
}
const ways: readonly PublishedWay[] = [...Object.values(wayOfLane), 'polling over WebSocket']

const OVER_H2 = /-h2$/
const wayOf = (lane: string): PublishedWay => wayOfLane[lane.replace(OVER_H2, '')]!

type ByFramework = Readonly<Record<Framework, { readonly [Way in PublishedWay]?: number }>>

const allOf = (figures: ByFramework, way: PublishedWay) => ranked((framework) => figures[framework][way])

const isAsPublished = ({ outcomes }: Broadcast): boolean =>
  outcomes.every(({ trial: { params } }) => params.clients === CLIENTS)

/** For a cell: `6–75.9`. */
const publishedRange = (name: string, unit: string, figures: ByFramework) =>
  publishedFigure<Broadcast>(name, unit, (rounds) => {
    const all = isAsPublished(rounds) ? allOf(figures, wayOf(rounds.outcomes[0]!.trial.lane)) : []
    return [...new Set([all[0], all.at(-1)])].map((end) => (end ? short(end.value) : '')).join('–') || null
  })

/** Both ways, in the time of the published figure: as many edits as were written there. */
const megabytes = metric<BroadcastData, BroadcastParams>(
  '',
  'MB',
  ({ bytes, tally }, { params: { clients } }) =>
    ((bytes!.up + bytes!.down) * clients * MESSAGES_EACH) / tally.sent / 1e6,
)

const bytesTable = (rounds: Broadcast): Table | undefined =>
  table(
    'Bytes on the wire',
    rounds.by(titleOf),
    [
      metric('up, an edit', 'B', ({ bytes, tally }) => bytes!.up / tally.sent),
      metric('down, a delivery', 'B', ({ bytes, tally }) => bytes!.down / tally.delivered),
      called(`both, ${rounds.params?.clients} clients in 15 s`, megabytes),
      publishedRange('published', 'MB', published.megabytes),
    ],
    {
      note: `Counted with everything that TCP carries, also acknowledgements; not TCP’s and IP’s own headers; of fewer seconds, brought to 15. Published: calculated, the least and the most of what ${sources.broadcast.short} has of that way; by WebSocket their 27 MB are 250 B a delivery, so their messages were longer than one letter: it is the ratios between ways that can be compared.`,
    },
  )

const byFramework = (title: string, unit: string, figures: ByFramework, note: string): Table | undefined =>
  table(
    `Published: ${title}`,
    frameworks.filter((name) => Object.keys(figures[name]).length > 0).map((name) => ({ name })),
    ways.map((way) => publishedFigure(way, unit, ({ name }) => figures[name][way])),
    { note: `${sources.broadcast.short}. ${note}`.trim() },
  )

const publishedTables = [
  byFramework('mean time of one’s own message coming back', 'ms', published.latency, sources.broadcast.setup),
  byFramework('server CPU', '%', published.cpu, ''),
  byFramework('bytes in 15 s', 'MB', published.megabytes, 'Calculated.'),
]

/** A group for each way, ours and then those of each framework. */
function besidePublished(
  title: string,
  rounds: Broadcast,
  figure: Metric<BroadcastParams, BroadcastData>,
  figures: ByFramework,
): BarChart | undefined {
  if (rounds.isEmpty || !isAsPublished(rounds)) return undefined
  const programs = rounds.by(
    ({ subject, lane }) => `${programOf(subject)}${OVER_H2.test(lane) ? ', HTTP/2' : ''}`,
  )
  return bars(
    title,
    Object.values(wayOfLane).map((name) => ({ name })),
    [
      ...programs.map((program) => ({
        name: program.name,
        of: ({ name }: { readonly name: PublishedWay }) =>
          figure.of(program.filter(({ trial }) => wayOf(trial.lane) === name)),
      })),
      ...frameworks.map((framework) =>
        publishedFigure(
          `${framework} 2014`,
          '',
          ({ name }: { readonly name: PublishedWay }) => figures[framework][name],
        ),
      ),
    ],
    { unit: figure.unit ?? '', scale: 'log' },
  )
}
