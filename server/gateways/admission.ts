/**
 * Admits the callers of all gateways, or refuses them, and knows no transport:
 *
 *   not offered ─▶ 404 · wrong method ─▶ 405 · WebSocket alone ─▶ 426
 *   new link: too many from this address (A6) ─▶ 429 · draining (S8) ─▶ 503 · foreign Origin (A1) ─▶ 403 · unknown (A2) ─▶ 401
 *   open link: foreign Origin (A1) ─▶ 403
 *
 * Refusals that cost nothing to find come first. An unexpected error becomes a refusal, too.
 */
import type { Logger } from 'pino'
import { webSocketCloseCode, writeWebSocketReason } from '../../lib/protocol/http.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { AccessRateLimits } from '../access/access-rate-limits.ts'
import { type Access, type AccessRequest, isAccessRefusal } from '../access/access.ts'
import { pathOf } from '../http-answers.ts'
import { ServerCounts, incrementCount } from '../metrics/server-counts.ts'
import type {
  Exchange,
  Gateway,
  LinkAcceptor,
  RequestHandler,
  RequestRoute,
  WebSocketRoute,
} from './gateway.ts'
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts'
import {
  accessRequestOf,
  admissionFailedRefusal,
  drainingRefusal,
  foreignOriginRefusal,
  type HttpRefusal,
  HttpRefusalError,
  httpRefusalOf,
  refuseMethod,
  refuseRequest,
  refuseUpgrade,
} from './http-refusals.ts'
import type { UpgradeRequest } from './upgrade-request.ts'
import { readWholeBody } from './whole-body.ts'

export interface AdmissionDependencies {
  readonly access: Pick<Access, 'admit' | 'isOriginAllowed'>
  readonly sessions: Pick<LinkAcceptor, 'draining'>
  readonly rateLimits: Pick<AccessRateLimits, 'takeLink'>
  readonly log: Logger
  readonly counts?: ServerCounts
}

export function createAdmission(
  gateways: readonly Gateway[],
  dependencies: AdmissionDependencies,
): Required<RequestHandler> {
  const admission = new Admission(dependencies)
  const requestRoutes = gateways.flatMap(({ requests = [] }) => requests)
  const webSocketRoutes = gateways.flatMap(({ webSockets = [] }) => webSockets)
  const refusedRoutes = gateways.flatMap(({ refused = [] }) => refused)

  return {
    handleRequest(request, response, secure) {
      const refusal = findRoute(refusedRoutes, request)?.refusal
      const route = findRoute(requestRoutes, request)
      if (refusal) refuseRequest(response, refusal)
      else if (route) admission.handleRequest(route, request, response, secure)
      else if (findRoute(webSocketRoutes, request)) refuseWithoutUpgrade(response)
      else return false
      if (route?.maxBodyBytes === undefined) request.resume()
      return true
    },
    handleUpgrade(request, socket, head, secure) {
      const refusal = findRoute(refusedRoutes, request)?.refusal
      const route = findRoute(webSocketRoutes, request)
      if (refusal) refuseUpgrade(socket, refusal)
      else if (route)
        admission.handleWebSocket(route, route.endpoint.http1Request(request, socket, head), secure)
      return refusal !== undefined || route !== undefined
    },
    handleConnect(request, response) {
      const refusal = findRoute(refusedRoutes, request)?.refusal
      const route = findRoute(webSocketRoutes, request)
      if (refusal) refuseRequest(response, refusal)
      else if (route) admission.handleWebSocket(route, route.endpoint.http2Request(request, response), true)
      return refusal !== undefined || route !== undefined
    },
  }
}

function findRoute<Route extends { readonly path: string | RegExp }>(
  routes: readonly Route[],
  request: GatewayRequest,
): Route | undefined {
  const path = pathOf(request)
  if (path === null) return undefined
  return routes.find((route) =>
    typeof route.path === 'string' ? route.path === path : route.path.test(path),
  )
}

function refuseWithoutUpgrade(response: GatewayResponse): void {
  // HTTP/2 has no such header: Node throws at one.
  if (!('stream' in response)) response.setHeader('upgrade', 'websocket')
  refuseRequest(response, {
    status: 426,
    code: 'upgrade',
    message: serverRefusalsStrings.gateway.webSocketOnly,
  })
}

class Admission {
  readonly #access: AdmissionDependencies['access']
  readonly #sessions: AdmissionDependencies['sessions']
  readonly #rateLimits: AdmissionDependencies['rateLimits']
  readonly #log: Logger
  readonly #counts: ServerCounts

  constructor({ access, sessions, rateLimits, log, counts = new ServerCounts() }: AdmissionDependencies) {
    this.#access = access
    this.#sessions = sessions
    this.#rateLimits = rateLimits
    this.#log = log
    this.#counts = counts
  }

  handleRequest(
    route: RequestRoute,
    request: GatewayRequest,
    response: GatewayResponse,
    secure: boolean,
  ): void {
    if (request.method !== route.method) return refuseMethod(response, route.method)
    const accessRequest = accessRequestOf(request, secure)
    const refusal = this.#refusalOfStranger(route.admission, accessRequest)
    if (refusal) {
      request.resume()
      return refuseRequest(response, this.#counted(refusal))
    }
    // Reading begins before the caller is known: the unread body of a page that closes is lost with it.
    const body = startReading(route, request)
    body.catch(() => {})
    this.#runRoute(route, { request, response, accessRequest, body }).catch((error: unknown) => {
      if (error instanceof HttpRefusalError) return refuseRequest(response, error)
      if (error instanceof ProtocolError) return refuseRequest(response, httpRefusalOf(error))
      this.#log.error({ err: error, path: pathOf(request) }, 'a gateway failed')
      refuseRequest(response, this.#counted(admissionFailedRefusal))
    })
  }

  async #runRoute(route: RequestRoute, exchange: Exchange): Promise<void> {
    if (route.admission === 'open link') return route.handle(exchange)
    const ticketed = route.admission === 'ticket'
    const caller = await this.#access.admit(exchange.accessRequest, { ticketed })
    if (route.admission === 'ticket') return route.handle(exchange, isAccessRefusal(caller) ? null : caller)
    if (isAccessRefusal(caller)) return refuseRequest(exchange.response, this.#counted(caller))
    return route.handle(exchange, caller)
  }

  handleWebSocket(route: WebSocketRoute, upgradeRequest: UpgradeRequest, secure: boolean): void {
    this.#admitWebSocket(route, upgradeRequest, secure).catch((error: unknown) => {
      this.#log.error({ err: error }, 'a WebSocket could not be admitted')
      upgradeRequest.refuse(this.#counted(admissionFailedRefusal))
    })
  }

  async #admitWebSocket(
    route: WebSocketRoute,
    upgradeRequest: UpgradeRequest,
    secure: boolean,
  ): Promise<void> {
    const { request } = upgradeRequest
    const accessRequest = accessRequestOf(request, secure)
    const refusal = this.#refusalOfStranger('new link', accessRequest)
    if (refusal) return refuseWithRetry(upgradeRequest, this.#counted(refusal))
    const caller = await (route.identify?.(request, accessRequest) ?? this.#access.admit(accessRequest))
    if (!isAccessRefusal(caller)) return upgradeRequest.accept((socket) => route.open(socket, caller))
    this.#counted(caller)
    if (route.refuseCaller) route.refuseCaller(upgradeRequest, caller)
    else refuseWithRetry(upgradeRequest, caller)
  }

  #counted<Refusal extends { readonly code: string }>(refusal: Refusal): Refusal {
    incrementCount(this.#counts.refusedAdmissions, refusal.code)
    return refusal
  }

  /** The refusal that does not depend on who the caller is. */
  #refusalOfStranger(admission: RequestRoute['admission'], accessRequest: AccessRequest): HttpRefusal | null {
    switch (admission) {
      case 'new link':
        return this.#rateLimits.takeLink(accessRequest) ?? (this.#sessions.draining ? drainingRefusal : null)
      case 'open link':
        return this.#access.isOriginAllowed(accessRequest) ? null : foreignOriginRefusal
      case 'ticket':
        return null
    }
  }
}

const NO_BODY = Promise.resolve(new Uint8Array())

const startReading = ({ maxBodyBytes }: RequestRoute, request: GatewayRequest): Exchange['body'] =>
  typeof maxBodyBytes === 'number' ? readWholeBody(request, maxBodyBytes) : NO_BODY

/**
 * Refuses a WebSocket. A browser shows its page nothing of a refused upgrade, so a page gets the time of its retry in an accepted
 * one, and assumes a busy server rather than a transport that does not work.
 */
function refuseWithRetry(upgradeRequest: UpgradeRequest, refusal: HttpRefusal): void {
  const { retryAfterS, message } = refusal
  const isPage = upgradeRequest.request.headers.origin !== undefined
  if (retryAfterS === undefined || !isPage) return upgradeRequest.refuse(refusal)
  const reason = { code: 'overloaded', detail: message, retryAfterMs: retryAfterS * 1000 } as const
  upgradeRequest.accept(({ webSocket }) => {
    webSocket.on('error', () => webSocket.terminate())
    webSocket.close(webSocketCloseCode(reason.code), writeWebSocketReason(reason))
  })
}
