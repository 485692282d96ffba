/**
 * An HTTP/1.1 server that listens nowhere: requests reach it over pairs of streams in memory. Next's handler fails on Node's HTTP/2
 * objects, so it sees only this server's requests.
 */
import http from 'node:http'
import type { ClientRequest, IncomingMessage, RequestListener } from 'node:http'
import { duplexPair } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { apiStrings } from '../lib/strings/api.ts'
import { abortResponse, answerError, endUnread, isClientGone, plainHeaders } from './http-answers.ts'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway-request.ts'

export type InnerServer = (options: http.RequestOptions) => ClientRequest

export function createInnerServer(listener: RequestListener): InnerServer {
  const server = http.createServer(listener)
  const connectInMemory = () => {
    const [clientEnd, serverEnd] = duplexPair()
    server.emit('connection', serverEnd)
    // A client that goes away destroys its end of the pair; the other end sees only an end of input.
    clientEnd.once('close', () => serverEnd.destroy())
    serverEnd.once('close', () => clientEnd.destroy())
    return clientEnd
  }
  return (options) => http.request({ ...options, createConnection: connectInMemory })
}

export interface ForwardOptions {
  /** Replaces the request's own. */
  readonly headers: Record<string, string | string[]>
  readonly log: Logger
  /** Sets the status and headers of the answer; may return streams that its body passes through. */
  onAnswer(inner: IncomingMessage, response: GatewayResponse): NodeJS.ReadWriteStream[]
}

/** Streams both ways. Resolves when the answer is complete or either side went away; never rejects. */
export async function forwardRequest(
  inner: InnerServer,
  request: GatewayRequest,
  response: GatewayResponse,
  { headers, log, onAnswer }: ForwardOptions,
): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const innerRequest = inner({ method, path: url, headers })
  response.once('close', () => innerRequest.destroy())
  try {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    innerRequest.once('response', resolve).on('error', reject)
    void pipeline(request, innerRequest).catch(reject)
    const innerResponse = await promise
    endUnread(response)
    await pipeline([innerResponse, ...onAnswer(innerResponse, response), response as NodeJS.WritableStream])
  } catch (error) {
    if (isClientGone(response)) return
    log.warn({ error }, 'a page broke off')
    if (response.headersSent) abortResponse(response)
    else answerError(response, 502, 'pages', apiStrings.page.failed)
  }
}

const hopByHopHeaders = new Set([
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

/** Returns the request's own headers and where it came from. What the client claims about the latter is dropped. */
export function innerHeadersOf(request: GatewayRequest, secure: boolean): Record<string, string | string[]> {
  const headers = plainHeaders(request)
  for (const name of Object.keys(headers))
    if (hopByHopHeaders.has(name) || name.startsWith('x-forwarded-') || name === 'accept-encoding')
      delete headers[name]
  return {
    ...headers,
    'x-forwarded-proto': secure ? 'https' : 'http',
    'x-forwarded-host': String(headers.host ?? ''),
    'x-forwarded-for': request.socket.remoteAddress ?? '',
  }
}

/** Leaves out connection headers: HTTP/2 has none. */
export function copyStatusAndHeaders(inner: IncomingMessage, response: GatewayResponse): void {
  response.statusCode = inner.statusCode ?? 502
  for (const [name, value] of Object.entries(inner.headers))
    if (value !== undefined && !hopByHopHeaders.has(name)) response.setHeader(name, value)
}
