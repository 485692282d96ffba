/**
 * Bytes of an opening with its first echo, by what the specifications say, over plain TCP. By TLS they are not: most of them are the
 * certificate, and what the two ends' libraries offer each other.
 */
import { linkKeyFields } from '../../lib/protocol/link-key.ts'
import { paths, subprotocols, sseTicketFields } from '../../lib/protocol/http.ts'
import { encodeControl } from '../../lib/protocol/records.ts'
import { transportDescriptors } from '../../lib/transports/descriptors.ts'
import { ssePaths } from '../../lib/transports/sse.ts'
import { calculate, LINK_HEAD_BYTES, type ClientNames, pollBytes, type WireBytes } from './calculated.ts'
import { headBytes, http1, requestHead } from './http1.ts'
import type { EchoLaneName } from './echo-lanes.ts'

/** Of bytes in base64, with and without the signs that fill it up. */
const base64 = (bytes: number): string => '='.repeat(4 * Math.ceil(bytes / 3))
const base64Url = (bytes: number): string => '_'.repeat(Math.ceil((4 * bytes) / 3))

const ticket = `a.${base64Url(16)}`
const key = { id: `a.${base64Url(16)}`, secret: new Uint8Array(16) }

const bytesOf = (fields: object): number => JSON.stringify(fields).length

/** @param payload Of the first echo; it fits one frame. */
export function calculateOpening(name: EchoLaneName, payload: number, names: ClientNames): WireBytes {
  const opening = openingOf(name, names.authority)
  const echo = calculate(name, 'plain', payload, names)
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
      // What the first poll was answered with is followed by the next.
      return {
        up:
          http1.request(transportDescriptors['long-poll'].linkPath, 0, authority) +
          pollBytes(http1, authority),
        down: http1.created(bytesOf(linkKeyFields(key))),
      }
  }
}

/** RFC 6455, 4: a key of 16 bytes, and an answer to it of 20. */
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

/** A line without data, before the first event. */
const FIRST_COMMENT = ':\n\n'

const sse = (authority: string): WireBytes => ({
  up:
    http1.request(ssePaths.ticket, 0, authority) +
    requestHead(`GET ${ssePaths.events}?ticket=${ticket}`, authority, 'Accept: text/event-stream'),
  down:
    http1.created(bytesOf(sseTicketFields({ ticket, key }))) +
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
