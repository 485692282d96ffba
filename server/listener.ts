/**
 * The two sockets: plain HTTP/1.1, and TLS with ALPN for HTTP/2 and HTTP/1.1. It knows limits, connections and how they end; it
 * does not know paths. It binds first and gets its router later, so that a port in use shows before anything else starts.
 */
import { once } from 'node:events'
import http from 'node:http'
import type { IncomingMessage } from 'node:http'
import http2 from 'node:http2'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { type AddressInfo, Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { apiStrings } from '../lib/strings/api.ts'
import { plainPageStrings } from '../lib/strings/plain-page.ts'
import { serverRefusalsStrings } from '../lib/strings/server-refusals.ts'
import { answerError } from './http-answers.ts'
import type { Certificate } from './certificate.ts'
import type { Config } from './config.ts'
import { SettingError } from './config.ts'
import { settings } from './settings.ts'
import { createConnectionLimiter } from './connection-limit.ts'
import type { ListenerServer, ConnectionTracker } from './connection-tracker.ts'
import { trackConnections } from './connection-tracker.ts'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway-request.ts'
import { drainingRefusal, refuseRequest, refuseUpgrade, type HttpRefusal } from './gateways/http-refusals.ts'
import * as limits from './listener-limits.ts'
import { isNavigation } from './navigation.ts'
import { answerPlainPage } from './plain-page.ts'

export interface RequestRouter {
  handleRequest(request: GatewayRequest, response: GatewayResponse, secure: boolean): void
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, secure: boolean): void
  /** Takes a WebSocket within HTTP/2 (RFC 8441). */
  handleConnect(request: Http2ServerRequest, response: Http2ServerResponse): void
}

export interface Listener {
  readonly port: number
  readonly httpsPort: number
  /** Before this call every request is answered 503. */
  setRouter(router: RequestRouter): void
  /** Applies to new connections; open ones keep the old certificate. */
  renewCertificate(certificate: Certificate): void
  /** Takes connections from now on. @throws {SettingError} when another program has one of the ports. */
  accept(): Promise<void>
  /** Takes no new connections from now on. Those that are open go on, also with new requests. */
  stopAccepting(): Promise<void>
  /** Asks the clients of open connections to make their next requests over new ones, which others take. */
  askToLeave(): void
  /** Takes no new connections, lets open requests end within `graceMs`, then cuts them. */
  close(graceMs: number): Promise<void>
}

type ListenerSettings = Pick<
  Config,
  | 'host'
  | 'port'
  | 'httpsPort'
  | 'websocketOverH2'
  | 'trustedProxies'
  | 'limitConnections'
  | 'limitOpenConnections'
>

/**
 * @param isLate It takes connections only once `accept` is called; its ports must be known.
 * @throws {SettingError} when a port or the address cannot be had.
 */
export async function startListener(
  config: ListenerSettings,
  certificate: Certificate,
  log: Logger,
  isLate = false,
): Promise<Listener> {
  const plain = http.createServer(http1Options)
  const tls = http2.createSecureServer({
    ...tlsOptions,
    settings: { ...tlsOptions.settings, enableConnectProtocol: config.websocketOverH2 },
    cert: certificate.cert,
    key: certificate.key,
  })
  // Node 24 takes the option on http servers alone, but reads this property on the others.
  Object.assign(tls, { shouldUpgradeCallback: isWebSocketUpgrade })
  const limitConnection = createConnectionLimiter(config)
  for (const server of [plain, tls]) server.on('connection', limitConnection)
  const connections = trackConnections([plain, tls])
  let router = startingRouter
  attachRequests(plain, false, () => router)
  attachRequests(tls, true, () => router)
  attachConnect(tls, () => router)
  const accept = async (): Promise<void> => {
    try {
      await bindServer(plain, config.host, 'PORT', config.port)
      await bindServer(tls, config.host, 'HTTPS_PORT', config.httpsPort)
    } catch (error) {
      plain.close()
      throw error
    }
  }
  if (!isLate) await accept()
  const [port, httpsPort] = isLate ? [config.port, config.httpsPort] : [portOf(plain), portOf(tls)]
  logErrors(plain, tls, log)
  return {
    port,
    httpsPort,
    setRouter: (newRouter) => void (router = newRouter),
    accept,
    askToLeave: connections.askToLeave,
    async stopAccepting() {
      // Connections that wait to be accepted would be reset; right behind the event loop's poll for them there are hardly any.
      await nextTurn()
      // The `close` of HTTP servers would also cut a connection whose first request is on its way.
      for (const server of [plain, tls]) Server.prototype.close.call(server)
    },
    renewCertificate: ({ cert, key }) => tls.setSecureContext({ cert, key }),
    close: (graceMs) => closeServers([plain, tls], connections, graceMs),
  }
}

const isWebSocketUpgrade = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket'

/** `requestTimeout` is off: it would cut the streamed uploads of the sync gateways. BODY_TIMEOUT_MS limits the API's bodies. */
const http1Options = {
  maxHeaderSize: limits.MAX_HEADER_BYTES,
  headersTimeout: limits.HEADERS_TIMEOUT_MS,
  requestTimeout: 0,
  keepAliveTimeout: limits.KEEP_ALIVE_TIMEOUT_MS,
  keepAlive: true,
  noDelay: true,
  // Any other upgrade (h2c) is an offer that may be ignored: the request is answered as if it had none.
  shouldUpgradeCallback: isWebSocketUpgrade,
}

const tlsOptions = {
  ...http1Options,
  allowHTTP1: true,
  minVersion: 'TLSv1.2',
  handshakeTimeout: limits.TLS_HANDSHAKE_TIMEOUT_MS,
  maxSessionMemory: limits.MAX_SESSION_MEMORY_MB,
  // nghttp2 counts the resets before our code runs, and ends the session with GOAWAY beyond the limit.
  streamResetBurst: limits.MAX_RESETS_AT_ONCE,
  streamResetRate: limits.MAX_RESETS_PER_SECOND,
  settings: {
    maxConcurrentStreams: limits.MAX_CONCURRENT_STREAMS,
    maxHeaderListSize: limits.MAX_HEADER_BYTES,
    initialWindowSize: limits.STREAM_WINDOW_BYTES,
  },
} as const

const startingRouter: RequestRouter = {
  handleRequest(request, response) {
    if (!isNavigation(request)) {
      response.setHeader('retry-after', 1)
      return answerError(response, 503, 'starting', serverRefusalsStrings.gateway.starting)
    }
    response.setHeader('refresh', 1)
    const { starting: title, opensByItself: sentence } = plainPageStrings
    answerPlainPage(response, { status: 503, title, sentence, retryAfterS: 1 })
  },
  handleUpgrade: (_request, socket) =>
    refuseUpgrade(socket, { ...drainingRefusal, message: serverRefusalsStrings.gateway.starting }),
  handleConnect: (_request, response) =>
    refuseRequest(response, { ...drainingRefusal, message: serverRefusalsStrings.gateway.starting }),
}

function attachRequests(server: ListenerServer, secure: boolean, routerOf: () => RequestRouter): void {
  const onRequest = (request: GatewayRequest, response: GatewayResponse): void => {
    request.on('error', ignoreError)
    response.on('error', ignoreError)
    if (headerBytes(request) > limits.MAX_HEADER_BYTES) return refuseHeaders(response)
    runUnlessReset(request, () => routerOf().handleRequest(request, response, secure))
  }
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', ignoreError)
    routerOf().handleUpgrade(request, socket, head, secure)
  }
  server.on('request', onRequest)
  server.on('upgrade', onUpgrade)
}

/** Node's HTTP/1.1 emits `connect` for a proxy's request, too, with a socket in place of the response. */
function attachConnect(tls: http2.Http2SecureServer, routerOf: () => RequestRouter): void {
  tls.on('connect', (request: Http2ServerRequest, response: Http2ServerResponse | Duplex) => {
    if (!('stream' in response)) return void response.destroy()
    request.on('error', ignoreError)
    response.on('error', ignoreError)
    if (headerBytes(request) > limits.MAX_HEADER_BYTES) refuseHeaders(response)
    else if (request.headers[':protocol'] === 'websocket')
      runUnlessReset(request, () => routerOf().handleConnect(request, response))
    else answerError(response, 501, 'connect', apiStrings.request.webSocketOnly)
  })
}

/**
 * Begins the work once the rest of the read is known: Node emits a request before it has read further, so one that is reset in the
 * same read costs no work. Over HTTP/1.1 no request can be reset.
 */
function runUnlessReset(request: GatewayRequest, work: () => void): void {
  if (!('stream' in request)) return work()
  const { stream } = request
  setImmediate(() => {
    if (!stream.closed && !stream.destroyed) work()
  })
}

/** Counts the headers itself: HTTP/2's own setting is advice to the client, and Node takes 64 KiB all the same. */
const headerBytes = ({ rawHeaders }: GatewayRequest): number =>
  rawHeaders.reduce((bytes, text) => bytes + text.length, 0)

const refuseHeaders = (response: GatewayResponse): void =>
  answerError(response, 431, 'too-large', apiStrings.request.headersOver(limits.MAX_HEADER_BYTES))

/** A client that goes away in the middle is no error of the server; code that waits for its bytes sees 'close'. */
const ignoreError = (): void => {}

function logErrors(plain: http.Server, tls: http2.Http2SecureServer, log: Logger): void {
  for (const server of [plain, tls]) {
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
      log.debug({ code: error.code }, 'a client sent no valid HTTP')
      if (socket.writable && error.code !== 'ECONNRESET')
        refuseUpgrade(socket, invalidRequestRefusal(error.code))
      else socket.destroy()
    })
    server.on('error', (error: Error) => log.error({ error }, 'the listener failed'))
  }
  tls.on('sessionError', (error: Error) => log.debug({ error: error.message }, 'an HTTP/2 session broke'))
  // Node passes them on as `clientError`. An answer that is written before the handshake is over waits for it, and where the client goes
  // on late with HTTP/2, the session writes beside that answer, which aborts the process.
  tls.removeAllListeners('tlsClientError').on('tlsClientError', (error: Error, socket: Duplex) => {
    log.debug({ error: error.message }, 'a TLS handshake failed')
    socket.destroy()
  })
}

function invalidRequestRefusal(code: string | undefined): HttpRefusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: 431, code: 'too-large', message: apiStrings.request.headersTooLarge }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, code: 'timeout', message: apiStrings.request.tooSlow }
  return { status: 400, code: 'http', message: apiStrings.request.notHttp }
}

async function bindServer(
  server: ListenerServer,
  host: string,
  name: 'PORT' | 'HTTPS_PORT',
  port: number,
): Promise<void> {
  const listening = once(server, 'listening')
  server.listen(port, host)
  try {
    await listening
  } catch (error) {
    throw bindError(error as NodeJS.ErrnoException, host, name, port)
  }
}

function bindError(error: NodeJS.ErrnoException, host: string, name: string, port: number): SettingError {
  const allowed = `allowed is ${settings.port.allowed}.`
  if (error.code === 'EADDRINUSE')
    return new SettingError(name, String(port), `which another program uses on ${host}: ${allowed}`, error)
  if (error.code === 'EACCES')
    return new SettingError(name, String(port), `which this user may not open: ${allowed}`, error)
  const problem = `which cannot be listened on (${error.code}): allowed is ${settings.host.allowed}.`
  return new SettingError('HOST', host, problem, error)
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

async function closeServers(
  servers: ListenerServer[],
  connections: ConnectionTracker,
  graceMs: number,
): Promise<void> {
  const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  connections.endWhenIdle()
  const timer = setTimeout(connections.destroyAll, graceMs)
  await closed
  clearTimeout(timer)
}
