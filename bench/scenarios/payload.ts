/** Echoes of each size by each lane: their time, and every byte, measured and calculated. */
import { calculateEchoBytes, type WireBytes } from '../echo/echo-bytes.ts'
import { measureEchoes, countEchoBytes } from '../echo/measure-echoes.ts'
import {
  type EchoParams,
  type EchoRounds,
  echoServer,
  echoTrials,
  echoLaneNames,
  type EchoLaneName,
  portOf,
  echoLaneTitle,
} from '../echo/echo-lanes.ts'
import { publishedOverTcp, sources } from '../published-figures.ts'
import { type Figure, metric, type Metric, publishedFigure, time } from '../report/metrics.ts'
import type { SectionDeclaration } from '../report/section-declaration.ts'
import { lineChart, table } from '../report/tables-and-charts.ts'
import type { LineChart, Table } from '../report/section.ts'
import { untilQuiet } from '../support/machine.ts'
import { number } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'

/** They lie around the steps of WebSocket's framing, and end with a message of 128 frames of ours. */
const sizes = [16, 125, 1024, 16 * 1024, 64 * 1024, 256 * 1024, 1024 * 1024] as const

interface Echo {
  readonly bytes: number
  /** In milliseconds. */
  readonly times: readonly number[]
  readonly measured: WireBytes
  readonly calculated: WireBytes
}

interface PayloadData {
  readonly echoes: readonly Echo[]
}

const options = {
  count: number('echoes of a size up to 16 KiB; fewer of larger ones', 200, 10, 100_000),
}

/** Sends large messages less often, so that every size sends at most about the same number of bytes. */
const countOf = (bytes: number, count: number): number =>
  Math.max(10, Math.round(bytes <= 16 * 1024 ? count : (count * 16 * 1024) / bytes))

export const payloadScenario = scenario<typeof options, EchoParams, PayloadData>({
  name: 'payload',
  sentence: 'Echoes of 16 bytes to 1 MiB by each lane, beside bare TCP; bytes measured and calculated.',
  options,
  quick: { count: '10' },
  plan: () => echoTrials,
  estimate: (_trial, { count }) => 3 + count * 0.02,
  async run({ lane, params: { scheme } }, ctx, { count }) {
    const way = { lane: lane as EchoLaneName, scheme }
    const server = await ctx.startServer(echoServer(way.lane))
    const port = portOf(server, scheme)
    const proxy = await ctx.startProxy()
    await proxy.target(port)
    await untilQuiet()
    const times = await ctx.measure(async () => {
      const all: number[][] = []
      for (const bytes of sizes) {
        const many = countOf(bytes, count)
        all.push(await measureEchoes({ ...way, port }, bytes, { count: many, skipped: Math.ceil(many / 5) }))
      }
      return all
    })
    const echoes = []
    for (const [index, bytes] of sizes.entries())
      echoes.push({
        bytes,
        times: times[index]!,
        measured: await countEchoBytes({ ...way, proxy }, bytes),
        calculated: calculateEchoBytes(way.lane, scheme, bytes, `localhost:${proxy.port}`),
      })
    return { echoes }
  },
  report,
})

type Payload = EchoRounds<PayloadData>

interface SizeRow {
  readonly name: string
  readonly bytes: number
}

const rowOf = (bytes: number): SizeRow => ({
  name:
    bytes < 1024 ? `${bytes} B` : bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`,
  bytes,
})
const sizeRows = sizes.map(rowOf)

const echoOf = ({ echoes }: PayloadData, bytes: number): Echo | undefined =>
  echoes.find((echo) => echo.bytes === bytes)
const roundTrip = (bytes: number): Metric<EchoParams, PayloadData> =>
  time('p50', (data: PayloadData) => echoOf(data, bytes)?.times ?? [], { digits: 3 })
/** The bytes beyond the message itself. */
const extraBytes = (
  kind: 'measured' | 'calculated',
  way: 'up' | 'down',
  bytes: number,
): Metric<EchoParams, PayloadData> =>
  metric('', '', (data: PayloadData) => {
    const echo = echoOf(data, bytes)
    return echo && echo[kind][way] - bytes
  })

const percentRange = ([from, to]: readonly [number, number]): string => `+${from}…${to} %`

/** The study names no sizes, only "very small" and "large" messages. */
const publishedAbove: Partial<Record<number, string>> = {
  16: percentRange(publishedOverTcp.echo['very small messages']),
  [1024 * 1024]: percentRange(publishedOverTcp.echo['large messages']),
}

function report(all: Payload): SectionDeclaration {
  const plain = all.where({ scheme: 'plain' }, 'plain TCP')
  const schemes = [plain, all.where({ scheme: 'tls' }, 'TLS')]
  const [least] = sizes
  const above = percentAbove(plain.where({ lane: 'websocket' }), plain.where({ lane: 'raw' }), least)
  return {
    method:
      'A client in Node sends a message of each size, which comes back frame by frame from the product’s own listener and gateways without sessions, and then sends the next. These are round trips of a closed loop, without a schedule. Bytes are the mean of ten echoes at a TCP proxy.',
    tables: schemes.flatMap((scheme) => [
      timesTable(scheme),
      aboveTable(scheme, scheme === plain),
      ...(['up', 'down'] as const).map((way) => bytesTable(scheme, way, scheme === plain)),
    ]),
    charts: schemes.map(roundTripChart),
    headlines: [
      {
        what: 'Echo of 16 bytes by WebSocket, above bare TCP',
        ours: above === null ? undefined : `+${Math.round(above)} %`,
        published: `${publishedAbove[least]} (${sources.overTcp.short})`,
      },
    ],
    notes: [
      'Diptych sends messages above 8 KiB as several frames, so that each is a sign of life on a slow network. Raw TCP and the published WebSocket send them whole.',
      'Calculated bytes are exact for one frame over plain TCP. In all other cases the calculation assumes that each piece travels by itself: pieces that share a TLS record or an answer cost less; further polls and window updates of HTTP/2 cost more.',
      'The published figures are of a client without a browser in a local network, where raw TCP itself took longer.',
    ],
  }
}

function percentAbove(own: Payload, bare: Payload, bytes: number): number | null {
  const percent = 100 * (own.median(roundTrip(bytes)) / bare.median(roundTrip(bytes)) - 1)
  return Number.isFinite(percent) ? percent : null
}

const timesTable = (scheme: Payload): Table | undefined => {
  const lanes = scheme.rows('lane', echoLaneNames)
  return table(
    `Round trip p50, ${scheme.name}`,
    sizeRows,
    lanes.map((lane) => ({ ...roundTrip(0), name: lane.name, of: ({ bytes }) => roundTrip(bytes).of(lane) })),
    { head: 'message', note: lanes.map(({ name }) => echoLaneTitle(name as EchoLaneName)).join('. ') },
  )
}

const aboveTable = (scheme: Payload, isPlain: boolean): Table | undefined =>
  table(
    `Round trip above bare ${isPlain ? 'TCP' : 'TLS'}, ${scheme.name}`,
    sizeRows,
    [
      ...scheme
        .rows('lane', echoLaneNames)
        .filter(({ name }) => name !== 'raw')
        .map((lane): Figure<SizeRow> => ({
          name: lane.name,
          unit: '%',
          digits: 0,
          better: 'less',
          of: ({ bytes }) => percentAbove(lane, scheme.where({ lane: 'raw' }), bytes),
        })),
      publishedFigure('WebSocket, published', '', ({ bytes }) => (isPlain && publishedAbove[bytes]) || null),
    ],
    {
      head: 'message',
      note: `Published: ${sources.overTcp.short}, “very small” and “large” messages. ${sources.overTcp.setup}`,
    },
  )

function bytesTable(scheme: Payload, way: 'up' | 'down', isPlain: boolean): Table | undefined {
  const column = { unit: 'B', digits: 0 }
  const lanes = scheme.rows('lane', echoLaneNames).flatMap((lane): Figure<SizeRow>[] => [
    {
      ...column,
      name: lane.name,
      better: 'less',
      of: ({ bytes }) => extraBytes('measured', way, bytes).of(lane),
    },
    {
      ...column,
      name: `${lane.name} calc.`,
      of: ({ bytes }) => lane.median(extraBytes('calculated', way, bytes)),
    },
  ])
  // Published for a message that travels as one frame.
  const framing = publishedFigure<SizeRow>(
    'WebSocket, published',
    'B',
    ({ bytes }) => publishedOverTcp.framing.find(({ payload }) => bytes <= payload)![way],
    { digits: 0 },
  )
  return table(
    `Bytes beyond the message on their way ${way}, ${scheme.name}: measured, calculated`,
    sizeRows,
    isPlain ? [...lanes, framing] : lanes,
    {
      head: 'message',
      note: isPlain
        ? `Published: ${sources.overTcp.short}, a WebSocket’s framing of one message; above 1 kB it is less than ${publishedOverTcp.overhead} % of the message. Diptych adds a byte or more to each frame, and sends a message above 8 KiB as several frames.`
        : undefined,
    },
  )
}

const roundTripChart = (scheme: Payload): LineChart =>
  lineChart(
    `Round trip by size, p50, ${scheme.name}`,
    { x: { name: 'message', unit: 'B', scale: 'log' }, y: { name: 'round trip', unit: 'ms', scale: 'log' } },
    scheme.rows('lane', echoLaneNames),
    (lane) => sizes.map((bytes) => [bytes, lane.median(roundTrip(bytes))] as const),
  )
