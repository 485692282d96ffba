/**
 * Calculates by the specifications how many bytes an opening with its first echo has, over plain TCP. By TLS most bytes are the
 * certificate and what two libraries offer each other, which cannot be calculated.
 */
import { linkKeyFields } from '../../lib/protocol/link-key.ts'
import { paths, subprotocols, sseTicketFields } from '../../lib/protocol/http.ts'
import { encodeControl } from '../../lib/protocol/records.ts'
import { transportDescriptors } from '../../lib/transports/descriptors.ts'
import { ssePaths } from '../../lib/transports/sse.ts'
import { calculateEchoBytes, LINK_HEAD_BYTES, pollBytes, type WireBytes } from './echo-bytes.ts'
import type { EchoLaneName } from './echo-lanes.ts'
import { headBytes, http1, requestHead } from './http1-bytes.ts'

// Texts as long as so many bytes in base64, with and without its padding.
const base64 = (bytes: number): string => '='.repeat(4 * Math.ceil(bytes / 3))
const base64Url = (bytes: number): string => '_'.repeat(Math.ceil((4 * bytes) / 3))

const ticket = `a.${base64Url(16)}`
const key = { id: `a.${base64Url(16)}`, secret: new Uint8Array(16) }

const jsonBytes = (fields: object): number => JSON.stringify(fields).length

/** @param payload The bytes of the first echo, which fits one frame. */
export function calculateOpeningBytes(name: EchoLaneName, payload: number, authority: string): WireBytes {
  const opening = openingOf(name, authority)
  const echo = calculateEchoBytes(name, 'plain', payload, authority)
  return { up: opening.up + echo.up, down: opening.down + echo.down }
}

function openingOf(name: EchoLaneName, authority: string): WireBytes {
  switch (name) {
    case 'raw':
      return { up: 0, down: 0 }
    case 'websocket':
      return webSocket(authority)
    case 'websocket-h2':
      throw new RangeError('A WebSocket within HTTP/2 opens by TLS alone.')
    case 'sse':
      return sse(authority)
    case 'stream':
      return stream(authority)
    case 'stream-body':
      return streamedBody(authority)
    case 'long-poll':
      // The answer to the first poll is followed by the next poll.
      return {
        up:
          http1.request(transportDescriptors['long-poll'].linkPath, 0, authority) +
          pollBytes(http1, authority),
        down: http1.created(jsonBytes(linkKeyFields(key))),
      }
  }
}

/** RFC 6455, 4: a key of 16 bytes, and its answer of 20. */
const webSocket = (authority: string): WireBytes => ({
  up: headBytes(
    `GET ${transportDescriptors.websocket.linkPath} HTTP/1.1`,
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${base64(16)}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    `Sec-WebSocket-Protocol: ${Object.values(subprotocols).join(',')}`,
    `Host: ${authority}`,
  ),
  down: headBytes(
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${base64(20)}`,
    `Sec-WebSocket-Protocol: ${subprotocols['http/1.1']}`,
  ),
})

/** The server sends it before the first event. */
const FIRST_COMMENT = ':\n\n'

const sse = (authority: string): WireBytes => ({
  up:
    http1.request(ssePaths.ticket, 0, authority) +
    requestHead(`GET ${ssePaths.events}?ticket=${ticket}`, authority, 'Accept: text/event-stream'),
  down:
    http1.created(jsonBytes(sseTicketFields({ ticket, key }))) +
    http1.streamed('text/event-stream') +
    http1.piece(FIRST_COMMENT.length),
})

const stream = (authority: string): WireBytes => ({
  up: http1.request(transportDescriptors.stream.linkPath, 0, authority),
  down: http1.streamed('application/octet-stream') + http1.piece(encodeControl({ type: 'link', key }).length),
})

function streamedBody(authority: string): WireBytes {
  const { up, down } = stream(authority)
  return {
    up:
      up +
      requestHead(`POST ${paths.up}`, authority, 'Transfer-Encoding: chunked') +
      http1.piece(LINK_HEAD_BYTES),
    down: down + http1.piece(encodeControl({ type: 'up' }).length),
  }
}
