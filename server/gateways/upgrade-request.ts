/**
 * A request for a WebSocket, in either form: an HTTP/1.1 Upgrade, or an extended CONNECT within an HTTP/2 connection (RFC 8441). A
 * client that offers our subprotocols learns from the picked one which form it was.
 */
import type { ClientRequestArgs, IncomingMessage } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Duplex } from 'node:stream'
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws'
import { openOverStream, UNADDRESSED } from '../../lib/transports/net/node-ws-internals.ts'
import type { GatewayRequest } from './gateway-request.ts'
import { refuseRequest, type HttpRefusal, refuseUpgrade } from './http-refusals.ts'
import { offeredSubprotocols } from './stock-credentials.ts'

export interface UpgradeRequest {
  readonly request: GatewayRequest
  /** The name of the protocol in ALPN. */
  readonly protocol: 'http/1.1' | 'h2'
  refuse(refusal: HttpRefusal): void
  accept(onOpen: (socket: AcceptedWebSocket) => void): void
}

export interface AcceptedWebSocket extends Pick<UpgradeRequest, 'request' | 'protocol'> {
  readonly webSocket: WebSocket
  /** The stream below it. */
  readonly stream: Duplex
}

/** How long a client may take to answer our close before it is cut. (The types of ws lack the option.) */
const closeOptions = { closeTimeout: 5_000 }

/** Browsers and proxies cut a message into pieces of 4 KiB and more. Here a piece of one byte costs 150 bytes. */
const MAX_FRAGMENTS = 1024
/** Even on a slow network the chunks of a client are longer on average. */
const MIN_CHUNK_BYTES = 256

export interface WebSocketEndpointOptions {
  readonly maxPayload: number
  pickSubprotocol(offered: ReadonlySet<string>, protocol: UpgradeRequest['protocol']): string | false
}

/** Where WebSockets of one kind are accepted. Deflate stays off: 240 KiB a connection and 3.9 times the CPU, for frames of 25 bytes. */
export class WebSocketEndpoint {
  readonly #server: WebSocketServer
  readonly #pickSubprotocol: WebSocketEndpointOptions['pickSubprotocol']

  constructor({ maxPayload, pickSubprotocol }: WebSocketEndpointOptions) {
    this.#pickSubprotocol = pickSubprotocol
    this.#server = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      WebSocket: GuardedWebSocket,
      maxPayload,
      maxFragments: MAX_FRAGMENTS,
      maxBufferedChunks: Math.ceil(maxPayload / MIN_CHUNK_BYTES),
      handleProtocols: (offered) => pickSubprotocol(offered, 'http/1.1'),
      ...closeOptions,
    })
  }

  get webSockets(): ReadonlySet<WebSocket> {
    return this.#server.clients
  }

  http1Request(request: IncomingMessage, socket: Duplex, head: Buffer): UpgradeRequest {
    const protocol = 'http/1.1'
    socket.on('error', destroySocket)
    return {
      request,
      protocol,
      refuse: (refusal) => refuseUpgrade(socket, refusal),
      accept: (onOpen) =>
        this.#server.handleUpgrade(request, socket, head, (webSocket) =>
          onOpen({ webSocket, stream: socket, request, protocol }),
        ),
    }
  }

  http2Request(request: Http2ServerRequest, response: Http2ServerResponse): UpgradeRequest {
    const protocol = 'h2'
    const { stream } = response
    stream.on('error', ignoreError) // the stream is destroyed already
    return {
      request,
      protocol,
      refuse: (refusal) => refuseRequest(response, refusal),
      accept: (onOpen) => {
        if (stream.destroyed) return
        const picked = this.#pickSubprotocol(new Set(offeredSubprotocols(request)), protocol)
        stream.respond({ ':status': 200, ...(picked !== false && { 'sec-websocket-protocol': picked }) })
        const webSocket = new WebSocketOverStream(this.#server.options, stream)
        this.#server.clients.add(webSocket)
        webSocket.once('close', () => this.#server.clients.delete(webSocket))
        onOpen({ webSocket, stream, request, protocol })
      },
    }
  }
}

/**
 * The class of all our WebSockets. It listens for errors from its constructor on: ws emits a malformed frame as an error, also while
 * a client is only being refused, and an error without a listener ends the process.
 */
class GuardedWebSocket extends WebSocket {
  constructor(
    address: string | URL | null,
    protocols?: string | string[] | WebSocket.ClientOptions | ClientRequestArgs,
    options?: WebSocket.ClientOptions | ClientRequestArgs,
  ) {
    super(address ?? UNADDRESSED, protocols as undefined, options)
    this.on('error', ignoreError)
  }
}

/** ws closes such a connection by itself, with the right code of the protocol. */
const ignoreError = (): void => {}

/** No closure, which would keep the request and its headers in memory as long as the socket lives. */
function destroySocket(this: Duplex): void {
  this.destroy()
}

/** The WebSocket that ws makes of an upgraded socket, but without the handshake of HTTP/1.1. */
class WebSocketOverStream extends GuardedWebSocket {
  constructor(options: ServerOptions, stream: Duplex) {
    super(UNADDRESSED, undefined, options)
    openOverStream(this, 'server', stream, options)
  }
}
