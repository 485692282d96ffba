/** A gateway is the server end of a transport: it turns requests into links. Each has a file, as in lib/transports. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Link, Sink } from '../../lib/transports/transport.ts'
import type { Access } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'

/** Either HTTP version: Node's objects for both have all that the gateways use. */
export type GatewayRequest = IncomingMessage | Http2ServerRequest
export type GatewayResponse = ServerResponse | Http2ServerResponse

/** Implemented by server/sessions. A gateway passes the link to it, and writes what it receives into the sink. */
export interface LinkAcceptor {
  accept(link: Link, principal: Principal): Sink
  /** While true, the gateways answer 503 with Retry-After. */
  readonly draining: boolean
}

export interface GatewayDependencies {
  readonly access: Access
  readonly sessions: LinkAcceptor
  readonly log: Logger
  /** The name of this node in the ids of its links (S10). */
  readonly node?: string
}

export interface Gateway {
  /** Returns true if the path was its own, whatever the answer. `secure` is true for the TLS listener. Never throws. */
  handleRequest(request: GatewayRequest, response: GatewayResponse, secure: boolean): boolean
  /** The same for an HTTP/1.1 Upgrade. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, secure: boolean): boolean
  /** The same for an extended CONNECT to a WebSocket within HTTP/2, if the gateway takes any. */
  handleConnect?(request: Http2ServerRequest, response: Http2ServerResponse): boolean
  /** Ends what the gateway holds open; the sessions have closed the links before. */
  close(): void
}
