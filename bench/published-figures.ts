/**
 * Figures that others measured and published, each on their own machines and in their own year. Their ratios and their shape can be
 * compared with ours. They say nothing about whose program is faster.
 */

export interface Source {
  /** As notes and headlines name it. */
  readonly short: string
  readonly setup: string
}

export const sources = {
  keystrokes: {
    short: 'Fladvad and Khans 2021',
    setup:
      'An editor relay in Node on a LAN, 200 keystrokes by a driven browser, 5 windows, each message stamped with an id. They left open: the server’s CPU and memory, more clients, larger payloads, a real document.',
  },
  broadcast: {
    short: 'Johannessen 2014',
    setup:
      'Five frameworks, 60 clients in 30 Firefox windows, each 2 messages a second to all for 15 s; latency of one’s own message coming back, mean of seconds 5 to 15. Bytes are calculated.',
  },
  idle: { short: 'Johannessen 2014', setup: 'Server memory with that many WebSockets that do nothing.' },
  overTcp: { short: 'Skvorc, Horvat and Srbljic 2014', setup: 'Jetty on a LAN.' },
  loss: {
    short: 'Ganaputra and Pardamean 2015',
    setup:
      'One message from each of N concurrent users, 30 rounds, without and with a publish-subscribe broker; independent t-tests at 0.05.',
  },
  dashboard: {
    short: 'an article of 2018',
    setup:
      'Vue and Chart.js behind nginx: 50 charts, each answered after a random 1 to 5 s; time until all are drawn.',
  },
} as const satisfies Record<string, Source>

/** Mean ms from a key to the other windows, by the lanes of `keystrokes`. */
export const publishedKeystrokes = {
  means: { 'sse-http1': 198.45, sse: 79.889, websocket: 88.171 },
  ratios: { 'sse h2 / websocket': 0.906, 'sse http/1.1 / sse h2': 2.48 },
} as const

export type PublishedTransport =
  'polling' | 'long-polling' | 'HTTP streaming' | 'SSE' | 'WebSocket' | 'polling over WebSocket'

export type Framework = 'SignalR' | 'Socket.IO' | 'SockJS' | 'Play' | 'Lightstreamer'

export type FrameworkFigures = Readonly<
  Record<Framework, { readonly [Transport in PublishedTransport]?: number }>
>

export const publishedBroadcast = {
  /** Mean ms. */
  latency: {
    SignalR: { 'long-polling': 134.8, SSE: 18.1, WebSocket: 18.4 },
    'Socket.IO': { polling: 605.6, 'long-polling': 52.6, WebSocket: 6.0 },
    SockJS: { 'long-polling': 198.6, 'HTTP streaming': 120.0, WebSocket: 61.2 },
    Play: { WebSocket: 75.9 },
    Lightstreamer: {
      polling: 161.7,
      'HTTP streaming': 33.1,
      WebSocket: 17.8,
      'polling over WebSocket': 61.8,
    },
  },
  /** Per cent of the server’s processor. */
  cpu: {
    SignalR: { 'long-polling': 58.7, SSE: 37.6, WebSocket: 37.9 },
    'Socket.IO': { polling: 8.2, 'long-polling': 14.8, WebSocket: 14.3 },
    SockJS: { 'long-polling': 10.7, 'HTTP streaming': 21.9, WebSocket: 17.1 },
    Play: {},
    Lightstreamer: {},
  },
  /** In millions of bytes, calculated. */
  megabytes: {
    SignalR: { 'long-polling': 220, SSE: 94, WebSocket: 65 },
    'Socket.IO': { polling: 105, 'long-polling': 104, WebSocket: 27 },
    SockJS: { 'long-polling': 125, SSE: 70, 'HTTP streaming': 27, WebSocket: 27 },
    Play: {},
    Lightstreamer: { polling: 188, 'HTTP streaming': 42, WebSocket: 29, 'polling over WebSocket': 68 },
  },
} as const satisfies Record<string, FrameworkFigures>

export const frameworks = Object.keys(publishedBroadcast.latency) as Framework[]

interface RankedFigure {
  readonly name: Framework
  readonly value: number
}

/** Lists the frameworks that have the figure, the least first. */
export const rankFigures = (figureOf: (framework: Framework) => number | null | undefined): RankedFigure[] =>
  frameworks
    .flatMap((name) => ({ name, value: figureOf(name) ?? Number.NaN }))
    .filter(({ value }) => !Number.isNaN(value))
    .toSorted((a, b) => a.value - b.value)

/** `Socket.IO 6 ms to Play 75.9 ms (Johannessen 2014)` */
export function rangeText(all: readonly RankedFigure[], format: (value: number) => string): string {
  const [least, most] = [all[0]!, all.at(-1)!].map(({ name, value }) => `${name} ${format(value)}`)
  return `${least === most ? least : `${least} to ${most}`} (${sources.broadcast.short})`
}

/** KB of server memory with 1,000 and with 4,500 idle WebSockets; null if the server crashed. */
export const publishedIdle: Readonly<Record<Framework, readonly [at1000: number, at4500: number | null]>> = {
  Play: [118_932, 223_812],
  SignalR: [188_892, 537_064],
  'Socket.IO': [42_724, 81_780],
  SockJS: [38_800, 85_996],
  Lightstreamer: [166_788, null],
}

export const publishedOverTcp = {
  /** The time to open a WebSocket, divided by that of a TCP connect. */
  opening: 3.7,
  /** By how many per cent an echo takes longer than by raw TCP: from, to. */
  echo: { 'very small messages': [150, 250], 'large messages': [60, 70] },
  /** The bytes before each message of at most `payload` bytes, from the server and from the client. */
  framing: [
    { payload: 125, down: 2, up: 6 },
    { payload: 65_535, down: 4, up: 8 },
    { payload: Infinity, down: 10, up: 14 },
  ],
  /** The framing of messages above 1 kB, in per cent of their bytes. */
  overhead: 1,
} as const

interface PublishedLoss {
  readonly users: number
  /** Without a broker and with one, as all that follow. */
  readonly lossPercent: readonly [number, number]
  readonly meanMs: readonly [number, number]
  readonly outKbps: readonly [number, number]
}

export const publishedLoss: readonly PublishedLoss[] = [
  { users: 50, lossPercent: [0, 0], meanMs: [36.83, 38], outKbps: [10.52, 10.51] },
  { users: 100, lossPercent: [0, 0], meanMs: [87.67, 89.37], outKbps: [18.92, 19.03] },
  { users: 500, lossPercent: [0.74, 0], meanMs: [292.77, 300.2], outKbps: [44.47, 44.8] },
  { users: 1_000, lossPercent: [1.14, 0], meanMs: [489.43, 497.5], outKbps: [70.24, 70.8] },
  { users: 5_000, lossPercent: [5.7, 0.98], meanMs: [678.87, 688.97], outKbps: [286.58, 298.44] },
  { users: 10_000, lossPercent: [8.29, 0.85], meanMs: [793.63, 805.3], outKbps: [307.25, 332.44] },
]

/** Seconds until all 50 charts are drawn. */
export const publishedDashboard = { 'http/1.1': 29, 'within one WebSocket': 5.215, h2: 5.3 } as const
