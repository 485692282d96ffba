/** The lanes by which a keystroke travels. A window that is on another lane than was asked for is an error: its figures would be false. */
import type { LinkInfo, TransportId } from '../../lib/transports/transport.ts'

const lane = <
  const Transport extends TransportId,
  const Protocol extends LinkInfo['protocol'],
  const Up extends LinkInfo['up'],
>(
  transport: Transport,
  protocol: Protocol,
  up: Up,
  words: string,
) => ({ transport, protocol, up, words })

export const lanes = {
  websocket: lane('websocket', 'http/1.1', 'frames', 'WebSocket on a connection of its own, TLS'),
  'websocket-h2': lane(
    'websocket',
    'h2',
    'frames',
    'WebSocket within the HTTP/2 connection that all windows share (RFC 8441)',
  ),
  sse: lane('sse', 'h2', 'streamed body', 'Server-sent events down, one streamed body up, HTTP/2'),
  'sse-posts': lane(
    'sse',
    'h2',
    'batched posts',
    'Server-sent events down, POSTs up as in a browser that cannot stream a body, HTTP/2',
  ),
  stream: lane('stream', 'h2', 'streamed body', 'A binary stream down, one streamed body up, HTTP/2'),
  'stream-posts': lane('stream', 'h2', 'batched posts', 'A binary stream down, POSTs up, HTTP/2'),
  'sse-http1': lane(
    'sse',
    'http/1.1',
    'batched posts',
    'Server-sent events down, POSTs up, HTTP/1.1 without TLS',
  ),
  'long-poll': lane('long-poll', 'h2', 'streamed body', 'Parked requests down, one streamed body up, HTTP/2'),
  poll: lane('poll', 'h2', 'batched posts', 'A request every 250 ms down, POSTs up, HTTP/2'),
}

export type LaneName = keyof typeof lanes
export type Lane = (typeof lanes)[LaneName]

/** Returns the scheme of the server's address for the lane: browsers speak HTTP/2 by TLS alone. */
export const schemeOf = (name: LaneName): 'http' | 'https' => (name === 'sse-http1' ? 'http' : 'https')

export const laneNames = Object.keys(lanes) as readonly LaneName[]

/** @throws {Error} when the link is on another lane. */
export function assertLane(lane: Lane, { transport, protocol, up }: LinkInfo, where: string): void {
  if (transport === lane.transport && protocol === lane.protocol && up === lane.up) return
  throw new Error(
    `${where}: wanted ${lane.transport}, ${lane.protocol}, ${lane.up}; in use ${transport}, ${protocol}, ${up}`,
  )
}
