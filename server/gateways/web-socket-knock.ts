/**
 * One knock at a WebSocket door, by whichever way it came: an HTTP/1.1 Upgrade, or an extended CONNECT within an HTTP/2
 * connection (RFC 8441). A client that offers our subprotocols learns from the one that is picked which it was.
 */
import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Duplex } from 'node:stream'
import { type ServerOptions, WebSocket, type WebSocketServer } from 'ws'
import { subprotocols } from '../../lib/protocol/http.ts'
import type { GatewayRequest } from './gateway.ts'
import { refuse, type Refused, refuseUpgrade } from './refusals.ts'
import { offeredBy } from './stock-credentials.ts'

export interface Knock {
  readonly request: GatewayRequest
  /** As ALPN names it. */
  readonly protocol: 'http/1.1' | 'h2'
  refuse(refusal: Refused): void
  accept(onOpen: (webSocket: WebSocket, stream: Duplex) => void): void
}

export function upgradeKnock(
  server: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Knock {
  socket.on('error', destroyThis)
  return {
    request,
    protocol: 'http/1.1',
    refuse: (refusal) => refuseUpgrade(socket, refusal),
    accept: (onOpen) => server.handleUpgrade(request, socket, head, (webSocket) => onOpen(webSocket, socket)),
  }
}

/** No closure: it would keep the request, with all its headers, for as long as the socket lives. */
function destroyThis(this: Duplex): void {
  this.destroy()
}

export const connectKnock = (
  server: WebSocketServer,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  pick: (offered: ReadonlySet<string>) => string | false = pickForConnect,
): Knock => ({
  request,
  protocol: 'h2',
  refuse: (refusal) => refuse(response, refusal),
  accept(onOpen) {
    const { stream } = response
    if (stream.destroyed) return
    stream.respond({ ':status': 200, ...pickedHeader(request, pick) })
    const webSocket = new WebSocketOverStream(server.options, stream)
    server.clients.add(webSocket)
    webSocket.once('close', () => server.clients.delete(webSocket))
    onOpen(webSocket, stream)
  },
})

/** For the `handleProtocols` of a server that is upgraded to. */
export const pickForUpgrade = (offered: ReadonlySet<string>): string | false =>
  offered.has(subprotocols['http/1.1']) && subprotocols['http/1.1']

const pickForConnect = (offered: ReadonlySet<string>): string | false =>
  offered.has(subprotocols.h2) && subprotocols.h2

function pickedHeader(
  request: Http2ServerRequest,
  pick: (offered: ReadonlySet<string>) => string | false,
): Record<string, string> {
  const picked = pick(new Set(offeredBy(request)))
  return picked === false ? {} : { 'sec-websocket-protocol': picked }
}

interface WithSetSocket {
  setSocket(socket: Duplex, head: Buffer, options: ServerOptions): void
}

/** What ws makes of an upgraded socket, without the handshake of HTTP/1.1. */
class WebSocketOverStream extends WebSocket {
  constructor(options: ServerOptions, stream: Duplex) {
    const unaddressed = null as unknown as string // ws then takes it for the server's end
    super(unaddressed, undefined, options)
    ;(this as unknown as WithSetSocket).setSocket(stream, Buffer.alloc(0), options)
  }
}
