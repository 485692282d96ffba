/** Reports `broadcast` beside what was published of the same load. Pure. */
import {
  acknowledgement,
  cpuADelivery,
  delivery,
  exactlyOnce,
  faultNotes,
  resident,
  serverCpu,
} from '../crowd/crowd-metrics.ts'
import type { SecondCounts } from '../crowd/second-counters.ts'
import { programOf, settingsOf, titleOf, withoutDisk } from '../crowd/measured-servers.ts'
import {
  type FrameworkFigures,
  frameworks,
  publishedBroadcast,
  type PublishedTransport,
  rangeText,
  rankFigures,
  sources,
} from '../published-figures.ts'
import { formatFixed, formatShort } from '../report/format-figures.ts'
import { metric, type Metric, publishedFigure, type Rounds, withName } from '../report/metrics.ts'
import { aim, besidePeers, floorReason, type SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, lineChart, table } from '../report/tables-and-charts.ts'
import { diskReason } from '../report/miss-reasons.ts'
import type { BarChart, Chart, Table } from '../report/section.ts'
import type { ProxyBytes } from '../support/counting-proxy.ts'
import { overRounds } from '../support/stats.ts'
import { nodesReport, type NodesRun } from './broadcast-nodes.ts'

/**
 * `sixty` repeats the published comparison on every transport, `many` is the load of the aims, and in `at once` everybody writes in the
 * same moment. `bytes` is `sixty` through a proxy that counts bytes and would falsify times, and `browser` is `sixty` in pages. `nodes` and
 * `nodes at once` are the same loads on nodes that share a PostgreSQL.
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

const partNames: Readonly<Record<BroadcastPart, string>> = {
  sixty: 'on every transport',
  many: 'many clients',
  'at once': 'all at once',
  bytes: 'through the proxy',
  nodes: 'on nodes',
  'nodes at once': 'on nodes, all at once',
  browser: 'in pages',
}

const ownMean = acknowledgement('mean', { name: 'own, mean' })
const timeColumns = (isPublished: boolean): readonly Metric<BroadcastParams, BroadcastData>[] => [
  delivery('p50'),
  delivery('p95'),
  delivery('p99'),
  acknowledgement('p50', { name: 'own, p50' }),
  ownMean,
  ...(isPublished ? [publishedRange('own, mean, published', 'ms', publishedBroadcast.latency)] : []),
  serverCpu,
  cpuADelivery,
  resident,
  ...exactlyOnce,
]

export function reportBroadcast(all: Broadcast): SectionDeclaration {
  const [sixty, many, atOnce, bytes, browser, onNodes, onNodesAtOnce] = all.split('part', parts)
  const aims = aimsOf(sixty, many, atOnce)
  const nodes = nodesReport(onNodes, onNodesAtOnce)
  const rows = sixty.groupBy(titleOf)
  return {
    method:
      'Headless clients in one document send each letter to all others. Times count from when the letter was due (open loop) until each of the others has it. Presence is left out on all sides.',
    tables: [
      timesTable(sixty, 'clients, 2 edits a second each'),
      timesTable(many, 'clients, 2 edits a second each'),
      timesTable(atOnce, 'clients, all at once'),
      timesTable(browser, 'clients in the pages of one browser, two in each'),
      ...nodes.tables,
      bytesTable(bytes),
      ...publishedTables,
    ],
    charts: [
      barChart('Time to each of the others', rows, [delivery('p50'), delivery('p99')], { scale: 'log' }),
      publishedChart('One’s own edit coming back, mean', sixty, ownMean, publishedBroadcast.latency),
      publishedChart('Bytes of 15 s, both ways', bytes, megabytes, publishedBroadcast.megabytes),
      ...secondsCharts(sixty, ''),
      ...secondsCharts(browser, ', clients in pages'),
    ],
    aims: [...Object.values(aims), ...Object.values(nodes.aims)],
    headlines: [...headlinesOf(sixty, many, atOnce, aims), ...nodes.headlines],
    notes: [
      ...settingsOf(all),
      ...nodes.notes,
      many.isEmpty ? undefined : ramDiskNote(many),
      ...faultNotes(all, (trial) => `${titleOf(trial)}, ${partNames[trial.params.part]}`),
    ],
  }
}

function timesTable(rounds: Broadcast, title: string): Table | undefined {
  const isPublished = rounds.params?.part === 'sixty'
  return table(`${rounds.params?.clients} ${title}`, rounds.groupBy(titleOf), timeColumns(isPublished), {
    note: `“Own” is the time to the acknowledgement of one’s own edit. With Diptych the edit is then on the disk, with Hocuspocus in memory; the others send it back.${isPublished ? ' Published: the least and the most of five frameworks on that transport.' : ''}`,
  })
}

const withRamDisk = (rounds: Broadcast): Broadcast =>
  rounds.where({ subject: 'diptych', lane: withoutDisk.lane })

/** Explains the row of the RAM disk, or why there is none. */
const ramDiskNote = (many: Broadcast): string =>
  withRamDisk(many).isEmpty
    ? 'Diptych was not measured on a RAM disk, because this machine has none or the options left it out.'
    : '“Data on a RAM disk” is Diptych with its data folder in memory, where a sync takes no time, so the difference is the time of the disk. No aim counts it.'

const secondTitles: Readonly<Record<keyof SecondCounts, string>> = {
  sent: 'Edits sent in each second',
  acknowledged: 'Edits acknowledged in each second',
  delivered: 'Deliveries in each second',
}

/** Shows the median of the rounds for each second. */
function secondsCharts(rounds: Broadcast, where: string): Chart[] {
  if (rounds.isEmpty) return []
  return (Object.keys(secondTitles) as (keyof SecondCounts)[]).map((what) =>
    lineChart(
      `${secondTitles[what]}${where}`,
      { x: { name: 'second', unit: '' }, y: { name: what, unit: '' } },
      rounds.groupBy(titleOf),
      (row) => secondsOf(row, what),
    ),
  )
}

function secondsOf({ data }: Broadcast, what: keyof SecondCounts): (readonly [number, number])[] {
  // The last count is of what arrived after the end.
  const all = data.map(({ tally }) => tally.perSecond.slice(0, -1))
  const length = Math.min(...all.map((round) => round.length))
  return Array.from({ length }, (_, second) => [
    second,
    overRounds(all.map((round) => round[second]![what])).median,
  ])
}

// Aims

const p99 = delivery('p99')
const ours = (rounds: Broadcast): Broadcast => rounds.where({ subject: 'diptych', lane: 'websocket' })
const stock = (rounds: Broadcast): Broadcast => rounds.where({ subject: 'diptych', lane: 'stock door' })
const theirs = (rounds: Broadcast): Broadcast => rounds.where({ subject: 'hocuspocus', lane: 'websocket' })
/** The relay shows what passing on costs, with one send for each receiver. */
const RELAY = 'A relay that understands and keeps nothing'
const relay = (rounds: Broadcast): Broadcast => rounds.where({ subject: 'relay', lane: 'websocket' })

function aimsOf(sixty: Broadcast, many: Broadcast, atOnce: Broadcast) {
  const stockAim = (name: string, rounds: Broadcast) =>
    aim(name, cpuADelivery, { atMost: 1, of: stock(rounds), beside: theirs(rounds) })
  return {
    cpu: aim('Server CPU a delivery, beside Hocuspocus', cpuADelivery, {
      atMost: 0.5,
      of: ours(many),
      beside: theirs(many),
      reasons: [
        floorReason(RELAY, cpuADelivery, relay(many), theirs(many), 2),
        'Diptych also checks, numbers and stores each edit.',
      ],
    }),
    stockSixty: stockAim('Server CPU a delivery to stock clients, beside Hocuspocus', sixty),
    stockMany: stockAim('The same with many clients', many),
    p99: aim('p99 with many clients', p99, {
      atMost: 16,
      of: ours(many),
      reasons: [diskReason(many), ramDiskReason(many)],
    }),
    atOnce: aim('p99 of all at once, beside Hocuspocus', p99, {
      atMost: 0.33,
      of: ours(atOnce),
      beside: theirs(atOnce),
      reasons: [burstReason(atOnce), floorReason(RELAY, p99, relay(atOnce), theirs(atOnce), 0)],
    }),
  }
}

function ramDiskReason(many: Broadcast): string {
  const time = withRamDisk(many).medianText(p99)
  return time
    ? `With its data on a RAM disk, where a sync takes no time, Diptych took ${time} in the same run.`
    : ''
}

/** Shows the work of a whole burst, for which its last delivery waits. */
function burstReason(atOnce: Broadcast): string {
  const clients = atOnce.params?.clients ?? 0
  const deliveries = clients * (clients - 1)
  const burstText = (rounds: Broadcast) => {
    const micros = rounds.median(cpuADelivery)
    return `${formatFixed((deliveries * micros) / 1e6, 2)} s (${formatFixed(micros, 2)} µs each)`
  }
  return ours(atOnce).isEmpty || theirs(atOnce).isEmpty
    ? ''
    : `A burst is ${formatFixed(deliveries, 0)} deliveries. They take Diptych ${burstText(ours(atOnce))} of a core, and Hocuspocus ${burstText(theirs(atOnce))}.`
}

// Headlines

function headlinesOf(sixty: Broadcast, many: Broadcast, atOnce: Broadcast, aims: ReturnType<typeof aimsOf>) {
  const clients = (rounds: Broadcast) => formatFixed(rounds.params?.clients ?? 0, 0)
  return [
    {
      what: `Server CPU a delivery, ${clients(many)} clients writing to all`,
      ...besidePeers(cpuADelivery, ours(many), { Hocuspocus: theirs(many) }, 2),
      aims: [aims.cpu],
      of: { part: 'many' },
    },
    {
      what: 'The same, time to another client, p99',
      ...besidePeers(p99, ours(many), {
        Hocuspocus: theirs(many),
        'Diptych on a RAM disk': withRamDisk(many),
      }),
      aims: [aims.p99],
      of: { part: 'many' },
    },
    {
      what: `${clients(atOnce)} clients writing at once, time to another client, p99`,
      ...besidePeers(p99, ours(atOnce), { Hocuspocus: theirs(atOnce) }),
      aims: [aims.atOnce],
      of: { part: 'at once' },
    },
    ...(isAsPublished(sixty) ? ownHeadlines(sixty) : []),
  ]
}

/** Show the figure for which the published comparison is known: one's own edit coming back. */
function ownHeadlines(sixty: Broadcast) {
  const lanes = {
    websocket: 'by WebSocket',
    'sse-h2': 'by server-sent events over HTTP/2',
    'long-poll': 'by long polling',
  } as const
  return Object.entries(lanes).map(([lane, laneText]) => {
    const ms = (subject: string, whose?: string) => sixty.where({ subject, lane }).medianText(ownMean, whose)
    return {
      what: `${CLIENTS} clients, 2 edits a second each to all, one’s own coming back ${laneText}, mean`,
      ours: ms('diptych'),
      beside: ['hocuspocus', 'socket.io'].map((subject) => ms(subject, programOf(subject))),
      published: rangeText(rankedOn(publishedBroadcast.latency, lane), (value) => `${formatShort(value)} ms`),
      of: { part: 'sixty', lane },
    }
  })
}

// Published figures

/** The published comparison has this many clients and messages of each. Other loads cannot be compared with it. */
const CLIENTS = 60
const MESSAGES_EACH = 30

const publishedTransports: Readonly<Record<string, PublishedTransport>> = {
  poll: 'polling',
  'long-poll': 'long-polling',
  stream: 'HTTP streaming',
  sse: 'SSE',
  websocket: 'WebSocket',
}
const transportColumns: readonly PublishedTransport[] = [
  ...Object.values(publishedTransports),
  'polling over WebSocket',
]

const OVER_H2 = /-h2$/
const publishedTransportOf = (lane: string): PublishedTransport =>
  publishedTransports[lane.replace(OVER_H2, '')]!

const rankedOn = (figures: FrameworkFigures, lane: string) =>
  rankFigures((framework) => figures[framework][publishedTransportOf(lane)])

const isAsPublished = ({ outcomes }: Broadcast): boolean =>
  outcomes.every(({ trial: { params } }) => params.clients === CLIENTS)

/** `6–75.9` */
const publishedRange = (name: string, unit: string, figures: FrameworkFigures) =>
  publishedFigure<Broadcast>(name, unit, (rounds) => {
    const all = isAsPublished(rounds) ? rankedOn(figures, rounds.outcomes[0]!.trial.lane) : []
    return (
      [...new Set([all[0], all.at(-1)])].map((end) => (end ? formatShort(end.value) : '')).join('–') || null
    )
  })

/** The bytes both ways of as many edits as in the published comparison. */
const megabytes = metric<BroadcastData, BroadcastParams>(
  '',
  'MB',
  ({ bytes, tally }, { params: { clients } }) =>
    ((bytes!.up + bytes!.down) * clients * MESSAGES_EACH) / tally.sent / 1e6,
)

const bytesTable = (rounds: Broadcast): Table | undefined =>
  table(
    'Bytes on the wire',
    rounds.groupBy(titleOf),
    [
      metric('up, an edit', 'B', ({ bytes, tally }) => bytes!.up / tally.sent),
      metric('down, a delivery', 'B', ({ bytes, tally }) => bytes!.down / tally.delivered),
      withName(`both, ${rounds.params?.clients} clients in 15 s`, megabytes),
      publishedRange('published', 'MB', publishedBroadcast.megabytes),
    ],
    {
      note: `The proxy counts all bytes that TCP carries, with acknowledgements but without the headers of TCP and IP, over fewer seconds, which are scaled to 15. Published: the least and the most that ${sources.broadcast.short} calculated for that transport. Their 27 MB by WebSocket are 250 B a delivery, so their messages were longer than one letter: compare only the ratios between transports.`,
    },
  )

const frameworkTable = (
  title: string,
  unit: string,
  figures: FrameworkFigures,
  note: string,
): Table | undefined =>
  table(
    `Published: ${title}`,
    frameworks.filter((name) => Object.keys(figures[name]).length > 0).map((name) => ({ name })),
    transportColumns.map((transport) =>
      publishedFigure(transport, unit, ({ name }) => figures[name][transport]),
    ),
    { note: `${sources.broadcast.short}. ${note}`.trim() },
  )

const publishedTables = [
  frameworkTable(
    'mean time of one’s own message coming back',
    'ms',
    publishedBroadcast.latency,
    sources.broadcast.setup,
  ),
  frameworkTable('server CPU', '%', publishedBroadcast.cpu, ''),
  frameworkTable('bytes in 15 s', 'MB', publishedBroadcast.megabytes, 'Calculated.'),
]

/** Has a group for each transport, with the measured programs and then the published frameworks. */
function publishedChart(
  title: string,
  rounds: Broadcast,
  figure: Metric<BroadcastParams, BroadcastData>,
  figures: FrameworkFigures,
): BarChart | undefined {
  if (rounds.isEmpty || !isAsPublished(rounds)) return undefined
  const programs = rounds.groupBy(
    ({ subject, lane }) => `${programOf(subject)}${OVER_H2.test(lane) ? ', HTTP/2' : ''}`,
  )
  return barChart(
    title,
    Object.values(publishedTransports).map((name) => ({ name })),
    [
      ...programs.map((program) => ({
        name: program.name,
        of: ({ name }: { readonly name: PublishedTransport }) =>
          figure.of(program.filter(({ trial }) => publishedTransportOf(trial.lane) === name)),
      })),
      ...frameworks.map((framework) =>
        publishedFigure(
          `${framework} 2014`,
          '',
          ({ name }: { readonly name: PublishedTransport }) => figures[framework][name],
        ),
      ),
    ],
    { unit: figure.unit ?? '', scale: 'log' },
  )
}
