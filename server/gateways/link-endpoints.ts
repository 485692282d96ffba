/** Endpoints by path, each with its one method. An unexpected error of an endpoint becomes an answer too. */
import type { Logger } from 'pino'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { pathOf } from '../http-answers.ts'
import type { GatewayRequest, GatewayResponse } from './gateway.ts'
import {
  admissionFailedRefusal,
  refuseRequest,
  HttpRefusalError,
  refuseMethod,
  httpRefusalOf,
} from './http-refusals.ts'

export interface LinkEndpoint {
  readonly method: 'GET' | 'POST'
  /** True if `handle` reads the body; otherwise the body is discarded. */
  readonly readsBody?: boolean
  /** @throws {HttpRefusalError | ProtocolError} The client gets it as the answer. */
  handle(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void>
}

type EndpointHandler = (request: GatewayRequest, response: GatewayResponse, secure: boolean) => boolean

export function createEndpointHandler(
  endpoints: Readonly<Record<string, LinkEndpoint>>,
  log: Logger,
): EndpointHandler {
  const byPath = new Map<string | null, LinkEndpoint>(Object.entries(endpoints))
  return (request, response, secure) => {
    const endpoint = byPath.get(pathOf(request))
    if (!endpoint) return false
    if (request.method !== endpoint.method) {
      refuseMethod(response, endpoint.method)
      return true
    }
    if (!endpoint.readsBody) request.resume()
    endpoint.handle(request, response, secure).catch((error: unknown) => {
      if (error instanceof HttpRefusalError) return refuseRequest(response, error)
      if (error instanceof ProtocolError) return refuseRequest(response, httpRefusalOf(error))
      log.error({ err: error, path: pathOf(request) }, 'a door failed')
      refuseRequest(response, admissionFailedRefusal)
    })
    return true
  }
}
