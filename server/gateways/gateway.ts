/** The server end of a transport: turns requests into links. One file each, mirroring lib/transports. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Link, Sink } from '../../lib/transports/transport.ts'
import type { Access } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'

/** Either HTTP version: Node's compatibility objects share what the gateways use of them. */
export type GatewayRequest = IncomingMessage | Http2ServerRequest
export type GatewayResponse = ServerResponse | Http2ServerResponse

/** Implemented by server/sessions. A gateway hands over the link and writes what it hears into the sink. */
export interface LinkAcceptor {
  accept(link: Link, principal: Principal): Sink
  /** While true the doors answer 503 with Retry-After. */
  readonly draining: boolean
}

export interface GatewayDependencies {
  readonly access: Access
  readonly sessions: LinkAcceptor
  readonly log: Logger
  /** Names this node in the ids of its links (S10). */
  readonly node?: string
}

export interface Gateway {
  /** True when the path was its own, whatever the answer. `secure` tells the TLS listener. Never throws. */
  handleRequest(request: GatewayRequest, response: GatewayResponse, secure: boolean): boolean
  /** The same for an HTTP/1.1 Upgrade. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, secure: boolean): boolean
  /** The same for an extended CONNECT to a WebSocket within HTTP/2, where the gateway has one. */
  handleConnect?(request: Http2ServerRequest, response: Http2ServerResponse): boolean
  /** Ends what it holds open; links were closed by the sessions before. */
  close(): void
}
