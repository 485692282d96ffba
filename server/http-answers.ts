/** Sends the answers that the listener gives by itself, in the shape of the API's errors. */
import type { Writable } from 'node:stream'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway-request.ts'
import { UNREAD_ANSWER_TIMEOUT_MS } from './listener-limits.ts'
import { forwardedOriginOf } from './nodes/forwarded-origin.ts'

export function answerJson(response: GatewayResponse, status: number, body: unknown): void {
  if (response.headersSent || isClientGone(response)) return
  writeAnswer(response, status, 'application/json', Buffer.from(JSON.stringify(body)))
}

export function answerText(response: GatewayResponse, type: string, text: string): void {
  if (response.headersSent || isClientGone(response)) return
  writeAnswer(response, 200, type, Buffer.from(text))
}

export function writeAnswer(response: GatewayResponse, status: number, type: string, bytes: Buffer): void {
  writeHead(response, status, {
    'content-type': type,
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(bytes)
}

/** Sends bytes that the server itself encoded, in one piece. */
export function answerBytes(response: GatewayResponse, bytes: Uint8Array): void {
  if (response.headersSent || isClientGone(response)) return
  writeHead(response, 200, {
    'content-type': 'application/octet-stream',
    'content-length': bytes.byteLength,
    'cache-control': 'no-store, no-transform',
    'x-content-type-options': 'nosniff',
  })
  const out: Writable = response
  out.end(bytes)
}

/** Whether the client went away. Node's HTTP/2 response has no `destroyed`, though its declaration says so. */
export const isClientGone = (response: GatewayResponse): boolean =>
  'stream' in response ? response.stream.destroyed : response.destroyed

/** Ends an answer so that the client sees that its end is missing. */
export function abortResponse(response: GatewayResponse): void {
  if ('stream' in response) response.stream.close(2 /* INTERNAL_ERROR */)
  else response.destroy()
}

/**
 * Cuts an answer of which the client takes nothing for a while. Called when the answer begins, since work that comes before it may be
 * silent for longer. Node restarts the time whenever the system takes part of a chunk, so a slow reader goes on.
 */
export const endUnread = (response: GatewayResponse, ms = UNREAD_ANSWER_TIMEOUT_MS): void =>
  void response.setTimeout(ms, () => abortResponse(response))

export const answerError = (response: GatewayResponse, status: number, code: string, message: string): void =>
  answerJson(response, status, { error: { code, message } })

export function redirect(response: GatewayResponse, status: 303 | 308, location: string): void {
  writeHead(response, status, { location, 'cache-control': 'no-store', 'content-length': 0 })
  response.end()
}

/** The declarations of the two `writeHead` have no common signature. */
function writeHead(
  response: GatewayResponse,
  status: number,
  headers: Record<string, string | number>,
): void {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

/** Returns the path without its query, and null for a URL without a path, such as `*` or a proxy's absolute form. */
export function pathOf(request: GatewayRequest): string | null {
  const { url = '' } = request
  return url.startsWith('/') ? url.split('?', 1)[0]! : null
}

/** Returns name and port from the Host header or HTTP/2's `:authority`. */
export function hostOf(request: GatewayRequest): string {
  const authority = request.headers[':authority']
  return (typeof authority === 'string' ? authority : undefined) ?? request.headers.host ?? ''
}

/**
 * Returns the remote address of the socket by which the request reached the service, and '' once it is gone. It may be a proxy's: see
 * access/client-address.ts.
 */
export function peerOf(request: GatewayRequest): string {
  const forwarded = forwardedOriginOf(request)
  if (forwarded) return forwarded.peer
  try {
    return request.socket.remoteAddress ?? ''
  } catch {
    // Node's HTTP/2 request throws when its session has ended.
    return ''
  }
}

/**
 * Returns the Host header or `:authority` as an address of this server, and null where it is malformed, so that a URL built of it
 * is safe. A request without a host is not malformed: HTTP/1.0 has none.
 */
export function hostUrlOf(request: GatewayRequest): URL | null {
  const host = hostOf(request)
  return /^[\w.:[\]-]+$/.test(host) ? URL.parse(`http://${host}`) : null
}

export const hasMalformedHost = (request: GatewayRequest): boolean =>
  hostOf(request) !== '' && hostUrlOf(request) === null

/** Returns the headers of either HTTP version as a plain object with HTTP/1.1's names. */
export function plainHeaders(request: GatewayRequest): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !name.startsWith(':')) headers[name] = value
  const host = hostOf(request)
  if (host) headers.host = host
  return headers
}
