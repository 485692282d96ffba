/** Opens a connection of each kind, beside a bare TCP connect. */
import { calculateOpeningBytes } from '../echo/opening-bytes.ts'
import {
  FIRST_ECHO_BYTES,
  measureOpenings,
  type OpeningTimes,
  countOpeningBytes,
} from '../echo/measure-echoes.ts'
import type { WireBytes } from '../echo/echo-bytes.ts'
import {
  echoServer,
  echoTrials,
  type EchoParams,
  type EchoRounds,
  echoLaneNames,
  type EchoLaneName,
  portOf,
  type Scheme,
  echoLaneTitle,
} from '../echo/echo-lanes.ts'
import { publishedOverTcp, sources } from '../published-figures.ts'
import { amountText, metric, type Metric, publishedFigure, ratio, time } from '../report/metrics.ts'
import type { SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
import { untilQuiet } from '../support/machine.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'

const SKIPPED_OPENINGS = 10
const WEIGHED_OPENINGS = 3

interface HandshakeData extends OpeningTimes {
  /** The bytes of an opening with its first echo of 16 bytes, for each of several openings. */
  readonly weights: readonly WireBytes[]
  /** The same, calculated from the specifications; null for TLS, where they do not fix it. Older runs have none. */
  readonly calculated?: WireBytes | null
}

const options = {
  count: number('connections of a trial, one after another', 100, 5, 10_000),
}

export const handshakeScenario = scenario<typeof options, EchoParams, HandshakeData>({
  name: 'handshake',
  sentence: 'Opens a connection of each kind, plain and by TLS, beside a TCP connect.',
  options,
  quick: { count: '20' },
  plan: () => echoTrials,
  estimate: (_trial, { count }) => 2 + (SKIPPED_OPENINGS + count) * 0.012,
  async run({ lane, params: { scheme } }, ctx, { count }) {
    const way = { lane: lane as EchoLaneName, scheme }
    const server = await ctx.startServer(echoServer(way.lane))
    const port = portOf(server, scheme)
    await untilQuiet()
    const openings = await ctx.measure(() =>
      measureOpenings({ ...way, port }, { count, skipped: SKIPPED_OPENINGS }),
    )
    const proxy = await ctx.startProxy()
    await proxy.target(port)
    const weights = []
    for (let index = 0; index < WEIGHED_OPENINGS; index++)
      weights.push(await countOpeningBytes({ ...way, proxy }))
    const calculated =
      scheme === 'plain' ? calculateOpeningBytes(way.lane, FIRST_ECHO_BYTES, `localhost:${proxy.port}`) : null
    return { ...openings, weights, calculated }
  },
  report,
})

type Handshake = EchoRounds<HandshakeData>

const openTime = time('p50', (data: HandshakeData) => data.opened, { name: 'opened p50', digits: 2 })
const firstEcho = (which: 'p50' | 'p99') =>
  time(which, (data: HandshakeData) => data.first, { name: `first echo ${which}`, digits: 2 })
const bytes = (way: 'up' | 'down') =>
  metric<HandshakeData>(`bytes ${way}`, '', ({ weights }) => weights.map((weight) => weight[way]), {
    digits: 0,
  })
const calculatedBytes = (way: 'up' | 'down'): Metric<EchoParams, HandshakeData> => ({
  name: `${way} calc.`,
  digits: 0,
  of: ({ outcomes: [outcome] }) => outcome!.data.calculated?.[way] ?? null,
})

function report(all: Handshake): SectionDeclaration {
  const [plain, tls] = all.split('scheme', ['plain', 'tls'])
  const [webSocket, bare] = plain.split('lane', ['websocket', 'raw'])
  const times = ratio(openTime, webSocket, bare)
  return {
    method:
      'A client in Node opens one connection after another to an echo server on this machine, which is the product’s own listener and gateways without sessions. Opened: bytes can flow. First echo: 16 bytes came back. Bytes are counted at a TCP proxy, from the opening to the first echo.',
    tables: [
      schemeTable('Plain TCP', plain, 'plain'),
      schemeTable('TLS 1.3, a full handshake each time', tls, 'tls'),
    ],
    charts: [
      barChart(
        'From nothing to the first echo of 16 bytes, p50',
        echoLaneNames.map((name) => ({ name })),
        [plain.withName('plain TCP'), tls.withName('TLS')].map((scheme) => ({
          name: scheme.name,
          of: ({ name: lane }) => firstEcho('p50').of(scheme.where({ lane })),
        })),
        { unit: 'ms' },
      ),
    ],
    headlines: [
      {
        what: 'Opening a WebSocket, beside a TCP connect, both plain and on the loopback',
        ours: amountText(times, '×'),
        published: `${publishedOverTcp.opening} × in a LAN (${sources.overTcp.short})`,
      },
    ],
    notes: [
      'On the loopback a connect waits for no network, so these times are work. In a network, transports with few round trips have smaller ratios.',
      'Calculated bytes are those of the opening and its first echo over plain TCP, from the specifications and the headers that both ends write. With TLS most bytes are the certificate and the offers of two libraries, which no specification fixes, so they are only measured.',
      'An open connection is a link that carries frames. Server-sent events and polls first request a ticket for their link, and a WebSocket includes the product’s check of the origin.',
    ],
  }
}

const schemeTable = (title: string, rounds: Handshake, scheme: Scheme) =>
  table(
    title,
    rounds.rows('lane', echoLaneNames, echoLaneTitle),
    [
      openTime,
      { name: '÷ bare connect', digits: 2, of: (row) => ratio(openTime, row, rounds.where({ lane: 'raw' })) },
      publishedFigure('published ÷', '', (row) =>
        scheme === 'plain' && row.outcomes[0]!.trial.lane === 'websocket' ? publishedOverTcp.opening : null,
      ),
      firstEcho('p50'),
      firstEcho('p99'),
      ...(['up', 'down'] as const).flatMap((way) => [
        bytes(way),
        ...(scheme === 'plain' ? [calculatedBytes(way)] : []),
      ]),
    ],
    {
      head: 'way',
      note: `Published: ${sources.overTcp.short}, a WebSocket beside a TCP connect. ${sources.overTcp.setup}`,
    },
  )
