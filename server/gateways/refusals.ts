/** What the doors of all gateways share: how a request is judged, and how it is turned away. */
import type { IncomingMessage } from 'node:http'
import type { Duplex, Readable, Writable } from 'node:stream'
import { STATUS_CODES } from 'node:http'
import type { ProtocolError } from '../../lib/protocol/wire.ts'
import type { DoorRequest } from '../access/access.ts'
import type { GatewayRequest, GatewayResponse } from './gateway.ts'
import { answerError, isGone } from '../answer.ts'

/** Seconds until a client that came while we drain shall come again: a restart takes about as long. */
const RETRY_AFTER_S = 1

export interface Refused {
  readonly status: number
  /** A code of the closed list (S9) where the client is to act by it, else a word for the log. */
  readonly code: string
  readonly message: string
}

/** Thrown by what answers a request, for the door to say. */
export class Refusal extends Error implements Refused {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const refusedFor = ({ reason, message }: ProtocolError): Refused => ({
  status: reason.code === 'too-large' ? 413 : 400,
  code: reason.code,
  message,
})

export const doorOf = (request: GatewayRequest, secure: boolean): DoorRequest => ({
  method: request.method ?? '',
  headers: request.headers,
  secure,
})

export const drainingRefusal: Refused = {
  status: 503,
  code: 'going-away',
  message: 'The server is restarting.',
}

export const failedRefusal: Refused = {
  status: 503,
  code: 'overloaded',
  message: 'The server could not look up who you are.',
}

export function refuse(response: GatewayResponse, { status, code, message }: Refused): void {
  if (response.headersSent || isGone(response)) return
  if (status === 503) response.setHeader('retry-after', RETRY_AFTER_S)
  answerError(response, status, code, message)
}

export const foreignOrigin: Refused = {
  status: 403,
  code: 'origin',
  message: 'This origin may not come in here.',
}

/** For the answer to reach a client that is still sending, and for a client to end by itself what it knows to be over. */
export const LINGER_MS = 1_000

/** Throws away what still comes in, for a moment, and then cuts it. */
export function discard(request: Readable): void {
  if (request.readableEnded) return
  request.resume()
  const timer = setTimeout(() => request.destroy(), LINGER_MS).unref()
  request.once('close', () => clearTimeout(timer))
}

export function answerNothing(response: GatewayResponse): void {
  if (response.headersSent || isGone(response)) return
  response.statusCode = 204
  const out: Writable = response
  out.end()
}

export function refuseMethod(response: GatewayResponse, allowed: string): void {
  response.setHeader('allow', allowed)
  refuse(response, { status: 405, code: 'method', message: `Only ${allowed} is answered here.` })
}

export function refuseUpgrade(socket: Duplex, { status, code, message }: Refused): void {
  const body = JSON.stringify({ error: { code, message } })
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 503 ? [`Retry-After: ${RETRY_AFTER_S}`] : []),
  ]
  socket.once('finish', () => socket.destroy()).on('error', () => socket.destroy())
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

export const queryOf = (request: IncomingMessage | GatewayRequest): URLSearchParams =>
  new URLSearchParams(request.url?.split('?', 2)[1] ?? '')
