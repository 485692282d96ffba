/** The spans of HTTP requests. Their names have no ids in them, so that there are few. */
import type { GatewayRequest, GatewayResponse } from '../gateways/gateway-request.ts'
import { pathOf } from '../http-answers.ts'
import { noTracing, type Tracing } from './tracing.ts'

/** The span ends with the answer, also if the client has gone. */
export function traceRequest(
  tracing: Tracing,
  request: GatewayRequest,
  response: GatewayResponse,
  work: () => void,
): void {
  if (tracing === noTracing) return work()
  void tracing.span(spanNameOf(request), { 'http.request.method': request.method ?? '' }, (span) => {
    const answered = new Promise<void>((resolve) => {
      response.once('close', () => {
        span.set({ 'http.response.status_code': response.statusCode })
        resolve()
      })
    })
    work()
    return answered
  })
}

/** A WebSocket's own life is no span: it may last for days. */
export function traceUpgrade(tracing: Tracing, request: GatewayRequest, work: () => void): void {
  tracing.span(spanNameOf(request), { 'http.request.method': request.method ?? '' }, work)
}

/** The beginnings of the server's own paths. */
const ownPath =
  /^\/(?:(?:sync|api)\/[a-z-]{1,20}|d|yjs|lab|_next|new|settings|offline|admin|metrics|healthz|readyz)?(?=\/|$)/

function spanNameOf(request: GatewayRequest): string {
  const [route = '/other'] = ownPath.exec(pathOf(request) ?? '') ?? []
  return `${request.method} ${route || '/'}`
}
