import type { WireBytes } from '../echo/calculated.ts'
import type { Openings } from '../echo/opening.ts'
import type { WayName, Scheme } from '../echo/ways.ts'
import { schemesOf, wayNames, wayOf } from '../echo/ways.ts'
import { overTcp, sources } from '../published.ts'
import type { BarChart, Cell, Section, Table } from '../report/section.ts'
import type { Outcome } from '../support/scenario.ts'
import { overRounds, type Spread, summarise } from '../support/stats.ts'

export interface Params extends Record<string, string> {
  readonly scheme: Scheme
}

export interface Data extends Openings {
  /** Of one opening with its first echo of 16 bytes; each of several. */
  readonly weights: readonly WireBytes[]
  /** The same by what the specifications say; null where they leave it to the certificate and the two ends. Older runs have none. */
  readonly calculated?: WireBytes | null
}

type Outcomes = readonly Outcome<Params, Data>[]

const titles: Record<Scheme, string> = { plain: 'Plain TCP', tls: 'TLS 1.3, a full handshake each time' }

export function reportOf(outcomes: Outcomes): Section {
  return {
    method:
      'A client in Node opens one connection after another to an echo server, which is the product’s own listener and gateways without sessions, on this machine. Opened: bytes may flow. First echo: 16 bytes came back. Bytes are counted at a TCP proxy, over an opening with its first echo.',
    tables: (['plain', 'tls'] as const).map((scheme) => tableOf(outcomes, scheme)),
    charts: [chartOf(outcomes)],
    aims: [],
    headlines: headlinesOf(outcomes),
    notes: [
      'On the loopback a connect takes no network round trip, so what stands here is work and not waiting: ratios in a network are smaller for ways of few round trips.',
      'Calculated bytes are of the opening and its first echo, over plain TCP, by what the specifications and the heads that both ends write come to. By TLS most bytes are the certificate and what two libraries offer each other, which no specification fixes: there they are measured alone.',
      'What is open is a link that carries frames: server-sent events and polls also ask a door for its name first, and a WebSocket is what the product does with one, its checks of origin included.',
    ],
  }
}

const isCalculated = (scheme: Scheme): boolean => scheme === 'plain'

const of = (outcomes: Outcomes, lane: WayName, scheme: Scheme): Outcomes =>
  outcomes.filter(({ trial }) => trial.lane === lane && trial.params.scheme === scheme)

const median = (own: Outcomes, samples: (data: Data) => readonly number[]): Spread =>
  overRounds(own.map(({ data }) => summarise(samples(data)).p50))

function tableOf(outcomes: Outcomes, scheme: Scheme): Table {
  const lanes = wayNames.filter(
    (lane) => schemesOf(lane).includes(scheme) && of(outcomes, lane, scheme).length,
  )
  const connect = median(of(outcomes, 'raw', scheme), ({ opened }) => opened).median
  return {
    title: titles[scheme],
    columns: [
      { name: 'way' },
      { name: 'opened p50', unit: 'ms', digits: 2 },
      { name: '÷ bare connect', digits: 2 },
      { name: 'published ÷', digits: 1, published: true },
      { name: 'first echo p50', unit: 'ms', digits: 2 },
      { name: 'first echo p99', unit: 'ms', digits: 2 },
      { name: 'bytes up', digits: 0 },
      ...(isCalculated(scheme) ? [{ name: 'up calc.', digits: 0 }] : []),
      { name: 'bytes down', digits: 0 },
      ...(isCalculated(scheme) ? [{ name: 'down calc.', digits: 0 }] : []),
    ],
    rows: lanes.map((lane) => rowOf(of(outcomes, lane, scheme), lane, scheme, connect)),
    note: `Published: ${sources.overTcp.short}, a WebSocket beside a TCP connect. ${sources.overTcp.setup}`,
  }
}

function rowOf(own: Outcomes, lane: WayName, scheme: Scheme, connect: number): Cell[] {
  const opened = median(own, (data) => data.opened)
  const bytes = (way: 'up' | 'down') =>
    overRounds(own.flatMap(({ data }) => data.weights.map((weight) => weight[way])))
  const calculated = (way: 'up' | 'down') => own[0]?.data.calculated?.[way] ?? null
  return [
    `${lane}: ${wayOf(lane).words}`,
    opened,
    opened.median / connect,
    lane === 'websocket' && scheme === 'plain' ? overTcp.opening : null,
    median(own, ({ first }) => first),
    overRounds(own.map(({ data }) => summarise(data.first).p99)),
    bytes('up'),
    ...(isCalculated(scheme) ? [calculated('up')] : []),
    bytes('down'),
    ...(isCalculated(scheme) ? [calculated('down')] : []),
  ]
}

function chartOf(outcomes: Outcomes): BarChart {
  const seriesOf = (scheme: Scheme) => ({
    name: scheme === 'plain' ? 'plain TCP' : 'TLS',
    values: wayNames.map((lane) => {
      const own = of(outcomes, lane, scheme)
      return own.length > 0 ? median(own, ({ first }) => first) : null
    }),
  })
  return {
    kind: 'bars',
    title: 'From nothing to the first echo of 16 bytes, p50',
    unit: 'ms',
    groups: wayNames,
    series: [seriesOf('plain'), seriesOf('tls')],
  }
}

function headlinesOf(outcomes: Outcomes) {
  const own = of(outcomes, 'websocket', 'plain')
  const bare = of(outcomes, 'raw', 'plain')
  if (own.length === 0 || bare.length === 0) return []
  const opened = ({ data }: Outcomes[number]) => summarise(data.opened).p50
  const ratio = overRounds(own.map(opened)).median / overRounds(bare.map(opened)).median
  return [
    {
      what: 'Opening a WebSocket, beside a TCP connect, both plain and on the loopback',
      ours: `${ratio.toFixed(1)} ×`,
      published: `${overTcp.opening} × in a LAN (${sources.overTcp.short})`,
    },
  ]
}
