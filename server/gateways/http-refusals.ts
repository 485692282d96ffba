/** Shared by all gateways: how a request is presented to `Access`, and how it is refused. */
import type { IncomingMessage } from 'node:http'
import type { Duplex, Readable, Writable } from 'node:stream'
import { STATUS_CODES } from 'node:http'
import type { ProtocolError } from '../../lib/protocol/wire.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { AccessRequest } from '../access/access.ts'
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts'
import { answerError, isClientGone, peerOf } from '../http-answers.ts'
import { destroyUnlessClosed } from '../timeouts.ts'

/** The retry time of a client that comes while the server drains: a restart takes about as long. */
const RETRY_AFTER_S = 1

export interface HttpRefusal {
  readonly status: number
  /** A code of the closed list (S9) if the client has to act on it, else a word for the log. */
  readonly code: string
  readonly message: string
  /** By default only a 503 has one. */
  readonly retryAfterS?: number
}

/** Thrown by the handler of a request; the gateway answers with it. */
export class HttpRefusalError extends Error implements HttpRefusal {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const httpRefusalOf = ({ reason, message }: ProtocolError): HttpRefusal => ({
  status: reason.code === 'too-large' ? 413 : 400,
  code: reason.code,
  message,
})

export const accessRequestOf = (request: GatewayRequest, secure: boolean): AccessRequest => ({
  method: request.method ?? '',
  headers: request.headers,
  secure,
  peer: peerOf(request),
})

export const drainingRefusal: HttpRefusal = {
  status: 503,
  code: 'going-away',
  message: serverRefusalsStrings.gateway.restarting,
}

export const admissionFailedRefusal: HttpRefusal = {
  status: 503,
  code: 'overloaded',
  message: serverRefusalsStrings.gateway.unknownCaller,
}

const retryAfterOf = ({ status, retryAfterS }: HttpRefusal): number | undefined =>
  retryAfterS ?? (status === 503 ? RETRY_AFTER_S : undefined)

export function refuseRequest(response: GatewayResponse, refusal: HttpRefusal): void {
  if (response.headersSent || isClientGone(response)) return
  const retryAfter = retryAfterOf(refusal)
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  answerError(response, refusal.status, refusal.code, refusal.message)
}

export const foreignOriginRefusal: HttpRefusal = {
  status: 403,
  code: 'origin',
  message: serverRefusalsStrings.gateway.foreignOrigin,
}

/** Time for the answer to reach a client that still sends, and for a client to end by itself an upload whose link has ended. */
export const DISCARD_MS = 1_000

/** Discards the rest of a body for a moment, and then cuts it. */
export function discardBody(request: Readable): void {
  if (request.readableEnded) return
  request.resume()
  destroyUnlessClosed(request, DISCARD_MS)
}

export function answerNoContent(response: GatewayResponse): void {
  if (response.headersSent || isClientGone(response)) return
  response.statusCode = 204
  const out: Writable = response
  out.end()
}

export function refuseMethod(response: GatewayResponse, allowed: string): void {
  response.setHeader('allow', allowed)
  refuseRequest(response, {
    status: 405,
    code: 'method',
    message: serverRefusalsStrings.gateway.method(allowed),
  })
}

export function refuseUpgrade(socket: Duplex, refusal: HttpRefusal): void {
  const { status, code, message } = refusal
  const retryAfter = retryAfterOf(refusal)
  const body = JSON.stringify({ error: { code, message } })
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
  ]
  socket.once('finish', () => socket.destroy()).on('error', () => socket.destroy())
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

export const queryOf = (request: IncomingMessage | GatewayRequest): URLSearchParams =>
  new URLSearchParams(request.url?.split('?', 2)[1] ?? '')
