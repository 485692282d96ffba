/**
 * An HTTP/1.1 server that listens nowhere: requests reach it over pairs of streams in memory. Next's handler fails on Node's
 * HTTP/2 objects, so it sees only these.
 */
import http from 'node:http'
import type { ClientRequest, IncomingMessage, RequestListener } from 'node:http'
import { duplexPair } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { strings } from '../lib/strings/api.ts'
import { answerError, isGone, plainHeaders } from './answer.ts'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway.ts'

export type InnerServer = (options: http.RequestOptions) => ClientRequest

export function createInnerServer(listener: RequestListener): InnerServer {
  const server = http.createServer(listener)
  const createConnection = () => {
    const [near, far] = duplexPair()
    server.emit('connection', far)
    // A client that goes away destroys its end of the pair; the other end hears only of an end of input.
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
    return near
  }
  return (options) => http.request({ ...options, createConnection })
}

export interface Forwarding {
  /** Replaces the request's own. */
  readonly headers: Record<string, string | string[]>
  readonly log: Logger
  /** Sets the answer's head; may return streams that its body goes through. */
  answer(inner: IncomingMessage, response: GatewayResponse): NodeJS.ReadWriteStream[]
}

/** Streams both ways. Resolves when the answer is through or either side went away; never rejects. */
export async function forward(
  inner: InnerServer,
  request: GatewayRequest,
  response: GatewayResponse,
  { headers, log, answer }: Forwarding,
): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const onward = inner({ method, path: url, headers })
  response.once('close', () => onward.destroy())
  try {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    onward.once('response', resolve).on('error', reject)
    void pipeline(request, onward).catch(reject)
    const answered = await promise
    await pipeline([answered, ...answer(answered, response), response as NodeJS.WritableStream])
  } catch (error) {
    if (isGone(response)) return
    log.warn({ error }, 'a page broke off')
    if (response.headersSent) endBroken(response)
    else answerError(response, 502, 'pages', strings.page.failed)
  }
}

function endBroken(response: GatewayResponse): void {
  if ('stream' in response) response.stream.close(2 /* INTERNAL_ERROR */)
  else response.destroy()
}

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
])

/** What the inner server is told: the request's own headers, and where it came from. What the client claims of that is dropped. */
export function innerHeaders(request: GatewayRequest, secure: boolean): Record<string, string | string[]> {
  const headers = plainHeaders(request)
  for (const name of Object.keys(headers))
    if (hopByHop.has(name) || name.startsWith('x-forwarded-') || name === 'accept-encoding')
      delete headers[name]
  return {
    ...headers,
    'x-forwarded-proto': secure ? 'https' : 'http',
    'x-forwarded-host': String(headers.host ?? ''),
    'x-forwarded-for': request.socket.remoteAddress ?? '',
  }
}

/** HTTP/2 has no connection headers. */
export function copyHead(inner: IncomingMessage, response: GatewayResponse): void {
  response.statusCode = inner.statusCode ?? 502
  for (const [name, value] of Object.entries(inner.headers))
    if (value !== undefined && !hopByHop.has(name)) response.setHeader(name, value)
}
