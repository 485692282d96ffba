/**
 * A gateway is the server end of a transport: it turns requests into links. Each has a file, as in lib/transports, and declares its
 * routes; `createAdmission` admits or refuses their callers.
 */
import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Link, Sink } from '../../lib/transports/transport.ts'
import type { Access, AccessRefusal, AccessRequest } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts'
import type { HttpRefusal } from './http-refusals.ts'
import type { AcceptedWebSocket, UpgradeRequest, WebSocketEndpoint } from './upgrade-request.ts'

/** Implemented by server/sessions. A gateway passes the link to it, and writes what it receives into the sink. */
export interface LinkAcceptor {
  accept(link: Link, principal: Principal): Sink
  /** While true, new links are refused with 503 and Retry-After. */
  readonly draining: boolean
}

/** Implemented by server/nodes. */
export interface ForwardsRequests {
  /**
   * Forwards the request to the node that the id names (S10). Returns false where the id names this node, or none that lives: the
   * request is then answered here.
   * @param received What was read of the body; the rest follows. Nothing else may read it any more.
   */
  forward(id: string, exchange: Exchange, received: Uint8Array): boolean
}

export interface GatewayDependencies {
  readonly access: Access
  readonly sessions: LinkAcceptor
  /** The name of this node in the ids of its links (S10). */
  readonly node?: string
  /** By default there is no other node. */
  readonly forwarder?: ForwardsRequests
}

/** What every route has from its request on. */
export interface Exchange {
  readonly request: GatewayRequest
  readonly response: GatewayResponse
  readonly accessRequest: AccessRequest
  /** Rejects for a body that breaks off or is longer than the route's `maxBodyBytes`. Empty where the route reads none. */
  readonly body: Promise<Uint8Array<ArrayBuffer>>
}

/** Rejections that are an `HttpRefusalError` or a `ProtocolError` reach the client as the answer. */
type Handling = void | Promise<void>

/**
 * How the requests of a route are admitted (admission.ts). There is no route without it, and its handler gets what was checked:
 *
 *   new link:   limited by address, refused while the server drains, and admitted by `Access`
 *   ticket:     admitted by `Access` without an Origin; null for anybody who is not, whose ticket the handler uses up all the same
 *   open link:  its Origin is allowed; the handler finds the link by its key and by the caller's credential (HttpLinks.find)
 */
type AdmittedHandler =
  | { readonly admission: 'new link'; handle(exchange: Exchange, caller: Principal): Handling }
  | { readonly admission: 'ticket'; handle(exchange: Exchange, caller: Principal | null): Handling }
  | { readonly admission: 'open link'; handle(exchange: Exchange): Handling }

export type RequestRoute = AdmittedHandler & {
  /** One path, or the pattern of several. */
  readonly path: string | RegExp
  readonly method: 'GET' | 'POST'
  /** The body is discarded by default, read as a whole up to a limit, or left to the handler. */
  readonly maxBodyBytes?: number | 'handler reads it'
}

/** Admitted like a new link, as an HTTP/1.1 Upgrade and as an extended CONNECT within HTTP/2. */
export interface WebSocketRoute {
  readonly path: string | RegExp
  readonly endpoint: WebSocketEndpoint
  /** Who the caller is, where `Access.admit` cannot tell from the headers alone. */
  identify?(request: GatewayRequest, accessRequest: AccessRequest): Promise<Principal | AccessRefusal>
  /** Replaces a refused upgrade, for clients that would take one for a broken network. */
  refuseCaller?(upgradeRequest: UpgradeRequest, refusal: AccessRefusal): void
  open(socket: AcceptedWebSocket, caller: Principal): void
}

/** A path where every request is refused. */
export interface RefusedRoute {
  readonly path: string
  readonly refusal: HttpRefusal
}

export interface Gateway {
  readonly requests?: readonly RequestRoute[]
  readonly webSockets?: readonly WebSocketRoute[]
  readonly refused?: readonly RefusedRoute[]
  /** Waits, at most `limitMs`, until the clients of ended links know why. */
  finish?(limitMs: number): Promise<void>
  /** Ends what the gateway holds open; the sessions have closed the links before. */
  close?(): void
}

/** Answers the requests at its own paths. Its methods return true if the path was its own, whatever the answer, and never throw. */
export interface RequestHandler {
  /** `secure` is true for the TLS listener. */
  handleRequest(request: GatewayRequest, response: GatewayResponse, secure: boolean): boolean
  /** The same for an HTTP/1.1 Upgrade. */
  handleUpgrade?(request: IncomingMessage, socket: Duplex, head: Buffer, secure: boolean): boolean
  /** The same for an extended CONNECT to a WebSocket within HTTP/2. */
  handleConnect?(request: Http2ServerRequest, response: Http2ServerResponse): boolean
}
