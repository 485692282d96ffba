/** Serves a `fetch`-shaped app over Node's request and response of either HTTP version, with a limit on bodies. */
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { Logger } from 'pino'
import { apiStrings } from '../lib/strings/api.ts'
import type { AccessRequest } from './access/access.ts'
import { hasStreamedBody } from './files/file-path.ts'
import { TransferEnded } from './files/transfers.ts'
import {
  abortResponse,
  answerError,
  endUnread,
  hostOf,
  isClientGone,
  pathOf,
  peerOf,
  plainHeaders,
} from './http-answers.ts'
import type { GatewayRequest, GatewayResponse } from './gateways/gateway-request.ts'
import { BODY_TIMEOUT_MS, MAX_BODY_BYTES, REFUSED_BODY_GRACE_MS } from './listener-limits.ts'
import { sameOriginHeaders } from './security-headers.ts'
import { DownloadStalled } from './versions/state-downloads.ts'
import { startTimeout, withTimeout } from './timeouts.ts'

/**
 * @param accessRequest The same request as access sees it.
 * @param body A file or a piece of one, which the app reads as it comes, and which the request lacks.
 */
export type FetchApp = (
  request: Request,
  accessRequest: AccessRequest,
  body?: Readable,
) => Response | Promise<Response>

/** Never rejects. */
export async function serveFetch(
  app: FetchApp,
  request: GatewayRequest,
  response: GatewayResponse,
  secure: boolean,
  log: Logger,
): Promise<void> {
  try {
    const isStreamed = hasStreamedBody(request.method ?? '', pathOf(request) ?? '')
    const body = isStreamed ? null : await readBody(request)
    if (body instanceof BodyRefusal) return await refuseBody(request, response, body)
    const accessRequest = {
      method: request.method ?? 'GET',
      headers: request.headers,
      secure,
      peer: peerOf(request),
    }
    const fetchRequest = toRequest(request, response, secure, body)
    const fetchResponse = await app(fetchRequest, accessRequest, ...(isStreamed ? [request] : []))
    if (isStreamed) await discardRest(request, response)
    await writeResponse(fetchResponse, request, response)
  } catch (error) {
    if (isClientGone(response)) return
    if (error instanceof DownloadStalled || error instanceof TransferEnded) return abortResponse(response)
    log.error({ error, method: request.method }, 'a request of the API failed')
    if (response.headersSent) abortResponse(response)
    else answerError(response, 500, 'internal', apiStrings.server.failed)
  }
}

class BodyRefusal {
  readonly status: number
  readonly code: string
  readonly message: string

  constructor(status: number, code: string, message: string) {
    this.status = status
    this.code = code
    this.message = message
  }
}

const tooLargeRefusal = new BodyRefusal(413, 'too-large', apiStrings.request.bodyTooLarge(MAX_BODY_BYTES))
const tooSlowRefusal = new BodyRefusal(408, 'timeout', apiStrings.request.bodyTooSlow(BODY_TIMEOUT_MS / 1000))

/** Rejects when the client goes away in the middle. */
function readBody(request: GatewayRequest): Promise<Buffer | BodyRefusal> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return Promise.resolve(tooLargeRefusal)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | BodyRefusal>()
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
    else resolve(tooLargeRefusal)
  })
  request.once('end', () => resolve(Buffer.concat(chunks)))
  request.once('error', reject)
  request.once('close', () => reject(new Error('The client went away.')))
  return withTimeout(BODY_TIMEOUT_MS, promise, () => tooSlowRefusal)
}

async function refuseBody(
  request: GatewayRequest,
  response: GatewayResponse,
  refusal: BodyRefusal,
): Promise<void> {
  await discardRest(request, response)
  answerError(response, refusal.status, refusal.code, refusal.message)
}

/**
 * Lets an answer go before the body is complete. HTTP/2 ends the one stream. A connection of HTTP/1.1 that is closed with unread bytes is
 * reset, and the client then drops what it has not read yet, the answer too: so the rest of the body is discarded for a while, behind the
 * answer, and before one that ends the connection.
 */
async function discardRest(request: GatewayRequest, response: GatewayResponse): Promise<void> {
  if (request.readableEnded || request.destroyed) return
  request.resume()
  if ('stream' in response) return void response.once('finish', () => response.stream.close())
  if (!response.shouldKeepAlive) {
    const body: Readable = request
    const ended = finished(body, { writable: false }).catch(() => {})
    return withTimeout(REFUSED_BODY_GRACE_MS, ended, () => {})
  }
  const { socket } = request
  request.once(
    'close',
    startTimeout(REFUSED_BODY_GRACE_MS, () => socket.destroy()),
  )
}

function toRequest(
  request: GatewayRequest,
  response: GatewayResponse,
  secure: boolean,
  body: Buffer | null,
): Request {
  const aborted = new AbortController()
  response.once('close', () => {
    if (!response.writableEnded) aborted.abort()
  })
  const { method = 'GET' } = request
  return new Request(`${secure ? 'https' : 'http'}://${hostOf(request) || 'localhost'}${request.url}`, {
    method,
    headers: toHeaders(request),
    signal: aborted.signal,
    ...(body === null || method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }),
  })
}

function toHeaders(request: GatewayRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(plainHeaders(request)))
    for (const one of [value].flat()) headers.append(name, one)
  return headers
}

async function writeResponse(
  fetchResponse: Response,
  request: GatewayRequest,
  response: GatewayResponse,
): Promise<void> {
  const { body } = fetchResponse
  if (isClientGone(response)) return body?.cancel()
  for (const [name, value] of fetchResponse.headers)
    if (name !== 'set-cookie') response.setHeader(name, value)
  const cookies = fetchResponse.headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  response.setHeader('x-content-type-options', 'nosniff')
  for (const [name, value] of Object.entries(sameOriginHeaders)) response.setHeader(name, value)
  response.statusCode = fetchResponse.status
  endUnread(response)
  if (!body || request.method === 'HEAD') {
    response.end()
    return body?.cancel()
  }
  // The DOM's and Node's declarations of ReadableStream describe one class.
  await pipeline(Readable.fromWeb(body as NodeReadableStream), response as NodeJS.WritableStream)
}
