/** Lists the lanes of an echo: bare TCP, and each transport. */
import type { TransportId } from '../../lib/transports/transport.ts'
import type { Rounds } from '../report/metrics.ts'
import type { ServerCommand } from '../support/server.ts'
import type { PlannedTrial } from '../support/trial.ts'

export interface EchoLane {
  readonly words: string
  /** Bare TCP has none. */
  readonly transport?: Exclude<TransportId, 'memory' | 'poll'>
  readonly up?: 'frames' | 'batched posts' | 'streamed body'
  /** The WebSocket is within HTTP/2 (RFC 8441), which needs TLS. */
  readonly overH2?: boolean
}

export const echoLanes = {
  raw: { words: 'bytes on a TCP connection, nothing around them' },
  websocket: { words: 'WebSocket on a connection of its own', transport: 'websocket', up: 'frames' },
  'websocket-h2': {
    words: 'WebSocket within HTTP/2 (RFC 8441)',
    transport: 'websocket',
    up: 'frames',
    overH2: true,
  },
  sse: { words: 'server-sent events down, POSTs up', transport: 'sse', up: 'batched posts' },
  stream: { words: 'a binary stream down, POSTs up', transport: 'stream', up: 'batched posts' },
  'stream-body': {
    words: 'a binary stream down, one streamed body up',
    transport: 'stream',
    up: 'streamed body',
  },
  'long-poll': { words: 'parked requests down, POSTs up', transport: 'long-poll', up: 'batched posts' },
} as const satisfies Record<string, EchoLane>

export type EchoLaneName = keyof typeof echoLanes
export const echoLaneNames = Object.keys(echoLanes) as readonly EchoLaneName[]

export type Scheme = 'plain' | 'tls'

export const echoLaneOf = (name: EchoLaneName): EchoLane => echoLanes[name]

/** Returns the title of a row in a report. */
export const echoLaneTitle = (name: EchoLaneName): string => `${name}: ${echoLaneOf(name).words}`

export const schemesOf = (name: EchoLaneName): readonly Scheme[] =>
  echoLaneOf(name).overH2 ? ['tls'] : ['plain', 'tls']

export type EchoParams = { readonly scheme: Scheme }
export type EchoRounds<Data> = Rounds<EchoParams, Data>

/** Each lane, by each of its schemes. */
export const echoTrials = echoLaneNames.flatMap((lane): PlannedTrial<EchoParams>[] =>
  schemesOf(lane).map((scheme) => ({
    subject: echoLaneOf(lane).transport ? 'diptych' : 'raw',
    lane,
    params: { scheme },
  })),
)

/** By TLS the lanes use HTTP/2, except bare TCP, and the WebSocket on its own connection. */
export const isHttp2 = (name: EchoLaneName, scheme: Scheme): boolean =>
  scheme === 'tls' && name !== 'raw' && name !== 'websocket'

export const echoServer = (name: EchoLaneName): ServerCommand => ({
  args: [
    '--import',
    './server/require-node.js',
    name === 'raw' ? 'bench/echo/raw-echo-server.ts' : 'bench/echo/gateway-echo-server.ts',
  ],
  ready: 'https',
})

/** Returns the port of an echo server for the scheme. */
export const portOf = (
  { origin, plainOrigin }: { readonly origin: string; readonly plainOrigin: string },
  scheme: Scheme,
): number => Number(new URL(scheme === 'tls' ? origin : plainOrigin).port)
