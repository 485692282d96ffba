/** Which part answers which path, in order: gateways, health, API, assets, pages. Knows paths; does not know sockets. */
import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { strings } from '../lib/strings/api.ts'
import { answerError, answerJson, hasMalformedHost, pathOf, redirect } from './answer.ts'
import type { Assets } from './assets.ts'
import type { FetchApp } from './fetch-adapter.ts'
import { serveFetch } from './fetch-adapter.ts'
import type { Gateway, GatewayRequest, GatewayResponse } from './gateways/gateway.ts'
import { refuse, refuseUpgrade, type Refused } from './gateways/refusals.ts'
import type { Greet } from './greeter.ts'
import type { Health } from './health.ts'
import { httpsLocation, isLocal } from './https-redirect.ts'
import type { Doors } from './listener.ts'
import { handleNew } from './new-document.ts'
import type { Pages } from './pages.ts'

export interface DoorParts {
  readonly gateways: readonly Gateway[]
  readonly health: () => Promise<Health>
  readonly api: FetchApp
  readonly greet: Greet
  readonly assets: Assets
  /** Null for a server without pages, as in tests. */
  readonly pages: Pages | null
  readonly https: { readonly httpsPort: number; readonly publicUrl: string | null }
  readonly log: Logger
}

export function createDoors(parts: DoorParts): Doors {
  return {
    handleRequest(request, response, secure) {
      route(parts, request, response, secure).catch((error: unknown) => {
        parts.log.error({ error, path: pathOf(request) }, 'a request failed')
        answerError(response, 500, 'internal', strings.server.failed)
      })
    },
    handleUpgrade(request, socket, head, secure) {
      upgrade(parts, request, socket, head, secure)
    },
    handleConnect(request, response) {
      connect(parts, request, response)
    },
  }
}

async function route(parts: DoorParts, request: GatewayRequest, response: GatewayResponse, secure: boolean) {
  const path = pathOf(request)
  if (hasMalformedHost(request)) return refuse(response, badHost)
  if (path === null) return answerError(response, 400, 'path', strings.request.noPath)
  if (path === '/healthz') return answerHealth(await parts.health(), response)
  if (!secure && !isLocal(request)) return goToHttps(parts, request, response)
  if (parts.gateways.some((gateway) => gateway.handleRequest(request, response, secure))) return
  if (path === '/api' || path.startsWith('/api/'))
    return serveFetch(parts.api, request, response, secure, parts.log)
  if (path === '/new') return handleNew(parts, request, response, secure)
  if (parts.assets(request, response)) return
  if (parts.pages) return parts.pages.handleRequest(request, response, secure)
  answerError(response, 404, 'not-found', strings.request.nothingHere)
}

const badHost: Refused = { status: 400, code: 'host', message: strings.request.noHost }

function answerHealth(health: Health, response: GatewayResponse): void {
  answerJson(response, health.status === 'ok' ? 200 : 503, health)
}

function goToHttps({ https }: DoorParts, request: GatewayRequest, response: GatewayResponse): void {
  const location = httpsLocation(request, https)
  if (location) redirect(response, 308, location)
  else refuse(response, badHost)
}

function upgrade(
  { gateways, pages, log }: DoorParts,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  secure: boolean,
): void {
  try {
    if (hasMalformedHost(request)) return refuseUpgrade(socket, badHost)
    if (!secure && !isLocal(request))
      return refuseUpgrade(socket, { status: 403, code: 'https', message: strings.request.useHttps })
    if (gateways.some((gateway) => gateway.handleUpgrade(request, socket, head, secure))) return
    if (pages?.handleUpgrade(request, socket, head)) return
    refuseUpgrade(socket, { status: 404, code: 'not-found', message: strings.request.nothingHere })
  } catch (error) {
    log.error({ error }, 'an upgrade failed')
    socket.destroy()
  }
}

function connect({ gateways, log }: DoorParts, request: Http2ServerRequest, response: Http2ServerResponse) {
  try {
    if (hasMalformedHost(request)) return refuse(response, badHost)
    if (gateways.some((gateway) => gateway.handleConnect?.(request, response))) return
    answerError(response, 404, 'not-found', strings.request.nothingHere)
  } catch (error) {
    log.error({ error }, 'a WebSocket within HTTP/2 failed')
    response.stream.destroy()
  }
}
