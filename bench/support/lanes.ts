/** The ways a keystroke can take. A lane that is asked for and not got is an error: figures of another way would be a lie. */
import type { LinkInfo } from '../../lib/transports/transport.ts'

export const lanes = {
  websocket: {
    transport: 'websocket',
    protocol: 'http/1.1',
    up: 'frames',
    words: 'WebSocket on a connection of its own, TLS',
  },
  'websocket-h2': {
    transport: 'websocket',
    protocol: 'h2',
    up: 'frames',
    words: 'WebSocket within the HTTP/2 connection that all windows share (RFC 8441)',
  },
  sse: {
    transport: 'sse',
    protocol: 'h2',
    up: 'streamed body',
    words: 'Server-sent events down, one streamed body up, HTTP/2',
  },
  'sse-posts': {
    transport: 'sse',
    protocol: 'h2',
    up: 'batched posts',
    words: 'Server-sent events down, POSTs up as in a browser that cannot stream a body, HTTP/2',
  },
  stream: {
    transport: 'stream',
    protocol: 'h2',
    up: 'streamed body',
    words: 'A binary stream down, one streamed body up, HTTP/2',
  },
  'stream-posts': {
    transport: 'stream',
    protocol: 'h2',
    up: 'batched posts',
    words: 'A binary stream down, POSTs up, HTTP/2',
  },
  'sse-http1': {
    transport: 'sse',
    protocol: 'http/1.1',
    up: 'batched posts',
    words: 'Server-sent events down, POSTs up, HTTP/1.1 without TLS',
  },
  'long-poll': {
    transport: 'long-poll',
    protocol: 'h2',
    up: 'streamed body',
    words: 'Parked requests down, one streamed body up, HTTP/2',
  },
  poll: {
    transport: 'poll',
    protocol: 'h2',
    up: 'batched posts',
    words: 'A request every 250 ms down, POSTs up, HTTP/2',
  },
} as const satisfies Record<string, LinkInfo & { readonly words: string }>

export type LaneName = keyof typeof lanes
export type Lane = (typeof lanes)[LaneName]

/** Of the server's two addresses the one that the lane is at: browsers speak HTTP/2 by TLS alone. */
export const schemeOf = (name: LaneName): 'http' | 'https' => (name === 'sse-http1' ? 'http' : 'https')

export const laneNames = Object.keys(lanes) as readonly LaneName[]

/** @throws {Error} when the link is not of the lane. */
export function assertLane(lane: Lane, { transport, protocol, up }: LinkInfo, where: string): void {
  if (transport === lane.transport && protocol === lane.protocol && up === lane.up) return
  throw new Error(
    `${where}: wanted ${lane.transport}, ${lane.protocol}, ${lane.up}; in use ${transport}, ${protocol}, ${up}`,
  )
}
