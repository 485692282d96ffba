/** Routes each path to its handler, in order: gateways, health, API, assets, pages. It knows paths; it does not know sockets. */
import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { apiStrings } from '../lib/strings/api.ts'
import { answerError, answerJson, hasMalformedHost, pathOf, redirect } from './http-answers.ts'
import type { AssetHandler } from './assets.ts'
import type { FetchApp } from './fetch-adapter.ts'
import { serveFetch } from './fetch-adapter.ts'
import type { RequestHandler } from './gateways/gateway.ts'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway-request.ts'
import { refuseRequest, refuseUpgrade, type HttpRefusal } from './gateways/http-refusals.ts'
import type { GuestIssuer } from './access/access.ts'
import type { HealthCheck, Readiness } from './health.ts'
import { httpsLocationOf, isFromThisComputer } from './https-redirect.ts'
import type { RequestRouter } from './listener.ts'
import { handleNewDocument } from './new-document.ts'
import type { ForwardReader } from './nodes/forward-reader.ts'
import type { ForwardUpload } from './nodes/upload-forwarder.ts'
import type { Pages } from './pages.ts'
import { runAsRequest } from './request-log.ts'
import { traceRequest, traceUpgrade } from './tracing/trace-request.ts'
import type { Tracing } from './tracing/tracing.ts'

export interface RequestRouterOptions {
  /** Asked in order, before everything else. */
  readonly requestHandlers: readonly RequestHandler[]
  readonly health: HealthCheck
  readonly api: FetchApp
  readonly issueGuest: GuestIssuer
  readonly assets: AssetHandler
  /** Null for a server without pages, as in tests. */
  readonly pages: Pages | null
  readonly readForwarded: ForwardReader
  readonly forwardUpload?: ForwardUpload
  /** Paths of pages that this server does not show. */
  readonly hiddenPages?: readonly string[]
  readonly https: { readonly httpsPort: number; readonly publicUrl: string | null }
  readonly log: Logger
  readonly tracing: Tracing
}

export function createRequestRouter(options: RequestRouterOptions): RequestRouter {
  return {
    handleRequest(request, response, secure) {
      const work = (): void => {
        routeRequest(options, request, response, secure).catch((error: unknown) => {
          options.log.error({ error, path: pathOf(request) }, 'a request failed')
          answerError(response, 500, 'internal', apiStrings.server.failed)
        })
      }
      runAsRequest(() => traceRequest(options.tracing, request, response, work))
    },
    handleUpgrade(request, socket, head, secure) {
      const work = (): void => routeUpgrade(options, request, socket, head, secure)
      runAsRequest(() => traceUpgrade(options.tracing, request, work))
    },
    handleConnect(request, response) {
      const work = (): void => routeConnect(options, request, response)
      runAsRequest(() => traceUpgrade(options.tracing, request, work))
    },
  }
}

async function routeRequest(
  options: RequestRouterOptions,
  request: GatewayRequest,
  response: GatewayResponse,
  isTls: boolean,
) {
  const path = pathOf(request)
  if (hasMalformedHost(request)) return refuseRequest(response, badHostRefusal)
  if (path === null) return answerError(response, 400, 'path', apiStrings.request.noPath)
  if (path === '/healthz') return answerJson(response, 200, options.health.checkLiveness())
  if (path === '/readyz') return answerReadiness(await options.health.checkReadiness(), response)
  const forwarded = options.readForwarded(request, response)
  const secure = forwarded?.secure ?? isTls
  if (!secure && !forwarded && !isFromThisComputer(request))
    return redirectToHttps(options, request, response)
  if (options.requestHandlers.some((handler) => handler.handleRequest(request, response, secure))) return
  if (path === '/api' || path.startsWith('/api/')) {
    if (await options.forwardUpload?.(request, response, secure)) return
    return serveFetch(options.api, request, response, secure, options.log)
  }
  if (path === '/new') return handleNewDocument(options, request, response, secure)
  if (options.assets(request, response)) return
  if (!isDecodable(path) || options.hiddenPages?.includes(path)) request.url = MISSING_PAGE
  if (options.pages) return options.pages.handleRequest(request, response, secure)
  answerError(response, 404, 'not-found', apiStrings.request.nothingHere)
}

/** The pages answer it as they answer any address without a page. */
const MISSING_PAGE = '/there-is-no-such-page'

/** Next answers 500 where the part of a path that names a document or a panel is no UTF-8, such as `%ff`. */
function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}

const badHostRefusal: HttpRefusal = { status: 400, code: 'host', message: apiStrings.request.noHost }

function answerReadiness(readiness: Readiness, response: GatewayResponse): void {
  answerJson(response, readiness.status === 'ready' ? 200 : 503, readiness)
}

function redirectToHttps(
  { https }: RequestRouterOptions,
  request: GatewayRequest,
  response: GatewayResponse,
): void {
  const location = httpsLocationOf(request, https)
  if (location) redirect(response, 308, location)
  else refuseRequest(response, badHostRefusal)
}

function routeUpgrade(
  { requestHandlers, pages, readForwarded, log }: RequestRouterOptions,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  secure: boolean,
): void {
  try {
    if (hasMalformedHost(request)) return refuseUpgrade(socket, badHostRefusal)
    const forwarded = readForwarded(request, null)
    if (!secure && !forwarded && !isFromThisComputer(request))
      return refuseUpgrade(socket, { status: 403, code: 'https', message: apiStrings.request.useHttps })
    if (requestHandlers.some((handler) => handler.handleUpgrade?.(request, socket, head, secure))) return
    if (pages?.handleUpgrade(request, socket, head)) return
    refuseUpgrade(socket, { status: 404, code: 'not-found', message: apiStrings.request.nothingHere })
  } catch (error) {
    log.error({ error }, 'an upgrade failed')
    socket.destroy()
  }
}

function routeConnect(
  { requestHandlers, log }: RequestRouterOptions,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
) {
  try {
    if (hasMalformedHost(request)) return refuseRequest(response, badHostRefusal)
    if (requestHandlers.some((handler) => handler.handleConnect?.(request, response))) return
    answerError(response, 404, 'not-found', apiStrings.request.nothingHere)
  } catch (error) {
    log.error({ error }, 'a WebSocket within HTTP/2 failed')
    response.stream.destroy()
  }
}
