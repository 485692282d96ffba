/** The ways an echo can take, bare and by each transport. */
import type { ServerCommand } from '../support/server.ts'
import type { TransportId } from '../../lib/transports/transport.ts'

export interface Way {
  readonly words: string
  /** None: bytes on a socket. */
  readonly transport?: Exclude<TransportId, 'memory' | 'poll'>
  readonly up?: 'frames' | 'batched posts' | 'streamed body'
  /** A WebSocket within HTTP/2 (RFC 8441): by TLS alone. */
  readonly overH2?: boolean
}

export const ways = {
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
} as const satisfies Record<string, Way>

export type WayName = keyof typeof ways
export const wayNames = Object.keys(ways) as readonly WayName[]

export type Scheme = 'plain' | 'tls'

export const wayOf = (name: WayName): Way => ways[name]

export const schemesOf = (name: WayName): readonly Scheme[] =>
  wayOf(name).overH2 ? ['tls'] : ['plain', 'tls']

/** HTTP/2 by TLS but for the WebSocket that has its own connection. */
export const isHttp2 = (name: WayName, scheme: Scheme): boolean =>
  scheme === 'tls' && name !== 'raw' && name !== 'websocket'

export const echoServer = (name: WayName): ServerCommand => ({
  args: [
    '--import',
    './server/require-node.js',
    name === 'raw' ? 'bench/echo/raw.ts' : 'bench/echo/gateways.ts',
  ],
  ready: 'https',
})

/** Of an echo server, by the addresses it printed. */
export const portOf = (
  { origin, plainOrigin }: { readonly origin: string; readonly plainOrigin: string },
  scheme: Scheme,
): number => Number(new URL(scheme === 'tls' ? origin : plainOrigin).port)
