/** What it takes to open a connection of each kind, beside a bare TCP connect. */
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
import { overTcp, sources } from '../published.ts'
import {
  bars,
  metric,
  type Metric,
  publishedFigure,
  ratio,
  type SectionDeclaration,
  table,
  time,
} from '../report/metrics.ts'
import { untilQuiet } from '../support/machine.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'

const SKIPPED = 10
const WEIGHED = 3

interface HandshakeData extends OpeningTimes {
  /** Of one opening with its first echo of 16 bytes; each of several. */
  readonly weights: readonly WireBytes[]
  /** The same by what the specifications say; null where they leave it to the certificate and the two ends. Older runs have none. */
  readonly calculated?: WireBytes | null
}

const options = {
  count: number('connections of a trial, one after another', 100, 5, 10_000),
}

export const handshake = scenario<typeof options, EchoParams, HandshakeData>({
  name: 'handshake',
  sentence: 'Opening a connection of each kind, plain and by TLS, beside a TCP connect.',
  options,
  quick: { count: '20' },
  plan: () => echoTrials,
  estimate: (_trial, { count }) => 2 + (SKIPPED + count) * 0.012,
  async run({ lane, params: { scheme } }, ctx, { count }) {
    const way = { lane: lane as EchoLaneName, scheme }
    const server = await ctx.startServer(echoServer(way.lane))
    const port = portOf(server, scheme)
    await untilQuiet()
    const openings = await ctx.measure(() => measureOpenings({ ...way, port }, { count, skipped: SKIPPED }))
    const proxy = await ctx.startProxy()
    await proxy.target(port)
    const weights = []
    for (let index = 0; index < WEIGHED; index++) weights.push(await countOpeningBytes({ ...way, proxy }))
    const calculated =
      scheme === 'plain' ? calculateOpeningBytes(way.lane, FIRST_ECHO_BYTES, `localhost:${proxy.port}`) : null
    return { ...openings, weights, calculated }
  },
  report,
})

type Handshake = EchoRounds<HandshakeData>

const opened = time('p50', (data: HandshakeData) => data.opened, { name: 'opened p50', digits: 2 })
const first = (which: 'p50' | 'p99') =>
  time(which, (data: HandshakeData) => data.first, { name: `first echo ${which}`, digits: 2 })
const bytes = (way: 'up' | 'down') =>
  metric<HandshakeData>(`bytes ${way}`, '', ({ weights }) => weights.map((weight) => weight[way]), {
    digits: 0,
  })
const calculated = (way: 'up' | 'down'): Metric<EchoParams, HandshakeData> => ({
  name: `${way} calc.`,
  digits: 0,
  of: ({ outcomes: [outcome] }) => outcome!.data.calculated?.[way] ?? null,
})

function report(all: Handshake): SectionDeclaration {
  const [plain, tls] = all.split('scheme', ['plain', 'tls'])
  const [webSocket, bare] = plain.split('lane', ['websocket', 'raw'])
  const times = ratio(opened, webSocket, bare)
  const withLane = (scheme: Handshake) => ({
    of: ({ name }: { readonly name: string }) => first('p50').of(scheme.where({ lane: name })),
  })
  return {
    method:
      'A client in Node opens one connection after another to an echo server, which is the product’s own listener and gateways without sessions, on this machine. Opened: bytes may flow. First echo: 16 bytes came back. Bytes are counted at a TCP proxy, over an opening with its first echo.',
    tables: [
      tableOf('Plain TCP', plain, 'plain'),
      tableOf('TLS 1.3, a full handshake each time', tls, 'tls'),
    ],
    charts: [
      bars(
        'From nothing to the first echo of 16 bytes, p50',
        echoLaneNames.map((name) => ({ name })),
        [
          { name: 'plain TCP', ...withLane(plain) },
          { name: 'TLS', ...withLane(tls) },
        ],
        { unit: 'ms' },
      ),
    ],
    headlines: [
      {
        what: 'Opening a WebSocket, beside a TCP connect, both plain and on the loopback',
        ours: Number.isNaN(times) ? undefined : `${times.toFixed(1)} ×`,
        published: `${overTcp.opening} × in a LAN (${sources.overTcp.short})`,
      },
    ],
    notes: [
      'On the loopback a connect takes no network round trip, so what stands here is work and not waiting: ratios in a network are smaller for ways of few round trips.',
      'Calculated bytes are of the opening and its first echo, over plain TCP, by what the specifications and the heads that both ends write come to. By TLS most bytes are the certificate and what two libraries offer each other, which no specification fixes: there they are measured alone.',
      'What is open is a link that carries frames: server-sent events and polls also ask a door for its name first, and a WebSocket is what the product does with one, its checks of origin included.',
    ],
  }
}

const tableOf = (title: string, rounds: Handshake, scheme: Scheme) =>
  table(
    title,
    rounds.rows('lane', echoLaneNames, echoLaneTitle),
    [
      opened,
      { name: '÷ bare connect', digits: 2, of: (row) => ratio(opened, row, rounds.where({ lane: 'raw' })) },
      publishedFigure('published ÷', '', (row) =>
        scheme === 'plain' && row.outcomes[0]!.trial.lane === 'websocket' ? overTcp.opening : null,
      ),
      first('p50'),
      first('p99'),
      ...(['up', 'down'] as const).flatMap((way) => [
        bytes(way),
        ...(scheme === 'plain' ? [calculated(way)] : []),
      ]),
    ],
    {
      head: 'way',
      note: `Published: ${sources.overTcp.short}, a WebSocket beside a TCP connect. ${sources.overTcp.setup}`,
    },
  )
