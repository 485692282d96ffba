import type { Scheme, WayName } from '../echo/ways.ts'
import { schemesOf, wayNames, wayOf } from '../echo/ways.ts'
import { overTcp, sources } from '../published.ts'
import type { Cell, LineChart, Section, Table } from '../report/section.ts'
import type { Outcome } from '../support/scenario.ts'
import { overRounds, type Spread, summarise } from '../support/stats.ts'

/** Around the steps of WebSocket's framing, and up to a message of 128 frames of ours. */
export const sizes = [16, 125, 1024, 16 * 1024, 64 * 1024, 256 * 1024, 1024 * 1024] as const

export interface Params extends Record<string, string> {
  readonly scheme: Scheme
}

interface Bytes {
  readonly up: number
  readonly down: number
}

export interface Data {
  readonly echoes: readonly {
    readonly bytes: number
    /** ms each */
    readonly times: readonly number[]
    readonly measured: Bytes
    readonly calculated: Bytes
  }[]
}

type Outcomes = readonly Outcome<Params, Data>[]
type Echo = Data['echoes'][number]

const schemeWords: Record<Scheme, string> = { plain: 'plain TCP', tls: 'TLS' }

const span = ([from, to]: readonly [number, number]): string => `+${from}…${to} %`

/** Its own words: "very small", "large". */
const published: Partial<Record<number, string>> = {
  16: span(overTcp.echo['very small messages']),
  [1024 * 1024]: span(overTcp.echo['large messages']),
}

export function reportOf(outcomes: Outcomes): Section {
  const schemes = ['plain', 'tls'] as const
  return {
    method:
      'A client in Node says a message of each size, which comes back frame by frame from the product’s own listener and gateways without sessions, and says the next. Nothing is sent on a schedule, so there is no intended time: these are round trips of a closed loop. Bytes are the mean of ten echoes at a TCP proxy.',
    tables: schemes.flatMap((scheme) => [
      timesOf(outcomes, scheme),
      aboveOf(outcomes, scheme),
      ...(['up', 'down'] as const).map((way) => bytesOf(outcomes, scheme, way)),
    ]),
    charts: schemes.map((scheme) => chartOf(outcomes, scheme)),
    aims: [],
    headlines: headlinesOf(outcomes),
    notes: [
      'Messages above 8 KiB travel as several frames of ours, so that on a slow network each is a sign of life; raw TCP and the published WebSocket send them whole.',
      'Calculated bytes are exact for one frame over plain TCP. Otherwise each piece is taken to travel by itself: pieces that share a TLS record or an answer cost less, and further polls and the windows that HTTP/2 grants cost more.',
      'The published figures are of a browser-less client in a local network, where raw TCP itself took longer.',
    ],
  }
}

const lanesOf = (outcomes: Outcomes, scheme: Scheme): readonly WayName[] =>
  wayNames.filter(
    (lane) => schemesOf(lane).includes(scheme) && echoes(outcomes, lane, scheme, sizes[0]).length,
  )

const echoes = (outcomes: Outcomes, lane: WayName, scheme: Scheme, bytes: number): Echo[] =>
  outcomes
    .filter(({ trial }) => trial.lane === lane && trial.params.scheme === scheme)
    .flatMap(({ data }) => data.echoes.filter((echo) => echo.bytes === bytes))

const sizeWords = (bytes: number): string =>
  bytes < 1024 ? `${bytes} B` : bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`

const p50 = (own: readonly Echo[]): Spread => overRounds(own.map(({ times }) => summarise(times).p50))

function timesOf(outcomes: Outcomes, scheme: Scheme): Table {
  const lanes = lanesOf(outcomes, scheme)
  return {
    title: `Round trip p50, ${schemeWords[scheme]}`,
    columns: [{ name: 'message' }, ...lanes.map((name) => ({ name, unit: 'ms', digits: 3 }))],
    rows: sizes.map((bytes) => [
      sizeWords(bytes),
      ...lanes.map((lane) => p50(echoes(outcomes, lane, scheme, bytes))),
    ]),
    note: lanes.map((lane) => `${lane}: ${wayOf(lane).words}`).join('. '),
  }
}

function aboveOf(outcomes: Outcomes, scheme: Scheme): Table {
  const lanes = lanesOf(outcomes, scheme).filter((lane) => lane !== 'raw')
  const above = (lane: WayName, bytes: number): Cell => {
    const bare = p50(echoes(outcomes, 'raw', scheme, bytes)).median
    const percent = 100 * (p50(echoes(outcomes, lane, scheme, bytes)).median / bare - 1)
    return Number.isFinite(percent) ? percent : null
  }
  return {
    title: `Round trip above bare ${scheme === 'plain' ? 'TCP' : 'TLS'}, ${schemeWords[scheme]}`,
    columns: [
      { name: 'message' },
      ...lanes.map((name) => ({ name, unit: '%', digits: 0 })),
      { name: 'WebSocket, published', published: true },
    ],
    rows: sizes.map((bytes) => [
      sizeWords(bytes),
      ...lanes.map((lane) => above(lane, bytes)),
      scheme === 'plain' ? (published[bytes] ?? null) : null,
    ]),
    note: `Published: ${sources.overTcp.short}, “very small” and “large” messages. ${sources.overTcp.setup}`,
  }
}

/** Beyond the message itself. */
function bytesOf(outcomes: Outcomes, scheme: Scheme, way: 'up' | 'down'): Table {
  const lanes = lanesOf(outcomes, scheme)
  const beyond = (own: readonly Echo[], kind: 'measured' | 'calculated'): Spread =>
    overRounds(own.map((echo) => echo[kind][way] - echo.bytes))
  return {
    title: `Bytes beyond the message on their way ${way}, ${schemeWords[scheme]}: measured, calculated`,
    columns: [
      { name: 'message' },
      ...lanes.flatMap((lane) => [
        { name: lane, unit: 'B', digits: 0 },
        { name: `${lane} calc.`, unit: 'B', digits: 0 },
      ]),
      ...(scheme === 'plain'
        ? [{ name: 'WebSocket, published', unit: 'B', digits: 0, published: true }]
        : []),
    ],
    rows: sizes.map((bytes) => [
      sizeWords(bytes),
      ...lanes.flatMap((lane) => {
        const own = echoes(outcomes, lane, scheme, bytes)
        return [beyond(own, 'measured'), beyond(own, 'calculated').median]
      }),
      ...(scheme === 'plain' ? [framingOf(bytes)[way]] : []),
    ]),
    ...(scheme === 'plain' && {
      note: `Published: ${sources.overTcp.short}, a WebSocket’s framing of one message; above 1 kB less than ${overTcp.overhead} % of it. Ours has a byte or more of its own in each frame, and of a message above 8 KiB several frames.`,
    }),
  }
}

/** Of a message that travels as one frame. */
const framingOf = (bytes: number): { readonly up: number; readonly down: number } =>
  overTcp.framing.find(({ payload }) => bytes <= payload)!

function chartOf(outcomes: Outcomes, scheme: Scheme): LineChart {
  return {
    kind: 'lines',
    title: `Round trip by size, p50, ${schemeWords[scheme]}`,
    x: { name: 'message', unit: 'B', scale: 'log' },
    y: { name: 'round trip', unit: 'ms', scale: 'log' },
    series: lanesOf(outcomes, scheme).map((name) => ({
      name,
      points: sizes.map((bytes) => [bytes, p50(echoes(outcomes, name, scheme, bytes)).median] as const),
    })),
  }
}

function headlinesOf(outcomes: Outcomes) {
  const least = sizes[0]
  const bare = p50(echoes(outcomes, 'raw', 'plain', least)).median
  const own = p50(echoes(outcomes, 'websocket', 'plain', least)).median
  if (!Number.isFinite(own / bare)) return []
  return [
    {
      what: 'Echo of 16 bytes by WebSocket, above bare TCP',
      ours: `+${Math.round(100 * (own / bare - 1))} %`,
      published: `${published[least]} (${sources.overTcp.short})`,
    },
  ]
}
