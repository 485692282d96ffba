/**
 * A proxy that reads HTTP and misbehaves as such proxies do. Faults below HTTP are in fault-proxy.ts, which can stand in front.
 * This proxy ends TLS on request, and talks HTTP/1.1 to the server's plain port.
 */
import { once } from 'node:events'
import http from 'node:http'
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import http2 from 'node:http2'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import https from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { Duplex, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSelfSignedCertificate } from '../../lib/transports/net/self-signed-certificate.ts'
import { type HttpFaults, noHttpFaults, AnswerSplitter, type PostOutcome } from './http-faults.ts'

/** The protocol with clients: plain HTTP/1.1, TLS with HTTP/1.1 alone, or TLS with HTTP/2 as well. */
export type ProxyProtocol = 'http' | 'https' | 'h2'

type ProxyRequest = IncomingMessage | Http2ServerRequest
type ProxyResponse = ServerResponse | Http2ServerResponse

/** This is long in comparison with a local round trip, so that the client has done something else meanwhile. */
const LATE_DELAY_MS = 200

export class HttpProxy implements AsyncDisposable {
  readonly origin: string
  readonly port: number
  targetPort = 0
  /** How often each fault occurred, so that a test can check that it did. */
  readonly faultCounts = new Map<string, number>()
  /** Requests such as `POST /sync/up`, in the order of arrival. */
  readonly requestLog: string[] = []
  #faults: HttpFaults = noHttpFaults()
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #agent = new http.Agent({ keepAlive: true })
  readonly #closing = new AbortController()

  /** Set `targetPort` before the first request: the proxy's port is needed earlier, for the server's allowed origins. */
  static async listen(protocol: ProxyProtocol): Promise<HttpProxy> {
    const server = await createProxyServer(protocol)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new HttpProxy(server, protocol === 'http' ? 'http' : 'https')
  }

  private constructor(server: Server, scheme: 'http' | 'https') {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    this.origin = `${scheme}://localhost:${this.port}`
    // Node takes this as an option on http servers alone.
    Object.assign(server, { shouldUpgradeCallback: () => this.#faults.upgrade !== 'stripped' })
    server.on('connection', (socket: Socket) => this.#trackSocket(socket))
    server.on(
      'request',
      (request: ProxyRequest, response: ProxyResponse) => void this.#onRequest(request, response),
    )
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#onUpgrade(request, socket, head),
    )
  }

  /** Applies to requests from now on, and faults of data to data from now on. */
  setFaults(faults: Partial<HttpFaults>): void {
    this.#faults = { ...this.#faults, ...faults }
  }

  heal(): void {
    this.#faults = noHttpFaults()
  }

  /** Ends every connection at once; new ones work. */
  cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    this.cutConnections()
    this.#agent.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #trackSocket(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  #countFault(fault: string): void {
    this.faultCounts.set(fault, (this.faultCounts.get(fault) ?? 0) + 1)
  }

  // Requests

  /** Never rejects: when one side breaks, the other is aborted. */
  async #onRequest(request: ProxyRequest, response: ProxyResponse): Promise<void> {
    const out: Writable = response
    this.requestLog.push(`${request.method} ${pathOf(request)}`)
    request.on('error', () => {})
    out.on('error', () => {})
    try {
      if (request.headers['content-length'] !== undefined || this.#faults.bufferBodies)
        await this.#forwardWhole(request, response, await buffer(request))
      else await this.#forwardAnswer(request, response, this.#forwardStream(request, response))
    } catch {
      abortAnswer(response)
    }
  }

  async #forwardWhole(request: ProxyRequest, response: ProxyResponse, body: Buffer): Promise<void> {
    const outcome = request.method === 'POST' ? this.#faults.choosePostOutcome(pathOf(request)) : 'passes'
    if (outcome !== 'passes') this.#countFault(outcome)
    if (outcome === 'dropped' || outcome === 'late') abortAnswer(response)
    if (outcome === 'late') await sleep(LATE_DELAY_MS, undefined, this.#closing)
    if (outcome !== 'dropped') await this.#applyOutcome(outcome, request, response, body)
  }

  async #applyOutcome(
    outcome: PostOutcome,
    request: ProxyRequest,
    response: ProxyResponse,
    body: Buffer,
  ): Promise<void> {
    if (outcome !== 'passes') await discardAnswer(this.#sendWhole(request, body))
    if (outcome === 'answer lost') abortAnswer(response)
    if (outcome !== 'passes' && outcome !== 'repeated') return
    const upstreamRequest = this.#sendWhole(request, body)
    ;(response as Writable).once('close', () => upstreamRequest.destroy())
    await this.#forwardAnswer(request, response, upstreamRequest)
  }

  #sendWhole(request: ProxyRequest, body: Buffer): ClientRequest {
    const upstreamRequest = this.#openRequest(request, { 'content-length': body.length })
    upstreamRequest.end(body)
    return upstreamRequest
  }

  /** Passes a body of unknown length on as it arrives. */
  #forwardStream(request: ProxyRequest, response: ProxyResponse): ClientRequest {
    const upstreamRequest = this.#openRequest(request)
    ;(response as Writable).once('close', () => upstreamRequest.destroy())
    if (request.method === 'GET') upstreamRequest.end()
    else {
      upstreamRequest.flushHeaders()
      request.on('data', (bytes: Buffer) => void upstreamRequest.write(bytes))
      request.on('end', () => void upstreamRequest.end())
      request.on('close', () => request.readableEnded || upstreamRequest.destroy())
    }
    return upstreamRequest
  }

  #openRequest(request: ProxyRequest, more: OutgoingHttpHeaders = {}): ClientRequest {
    const upstreamRequest = http.request({
      port: this.targetPort,
      host: '127.0.0.1',
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: { ...endToEndHeaders(request.headers), host: hostOf(request), ...more },
      agent: this.#agent,
    })
    upstreamRequest.on('error', () => {})
    return upstreamRequest
  }

  // Answers

  async #forwardAnswer(
    request: ProxyRequest,
    response: ProxyResponse,
    upstreamRequest: ClientRequest,
  ): Promise<void> {
    const answer = await waitForAnswer(upstreamRequest)
    const { bufferAnswers, cutAnswersAfterMs } = this.#faults
    const path = pathOf(request)
    const splitter = path.startsWith('/sync/')
      ? new AnswerSplitter(answer.headers['content-type'] ?? '', () =>
          this.#countPieceOutcome(this.#faults.choosePieceOutcome(path)),
        )
      : null
    const timer = Number.isFinite(cutAnswersAfterMs)
      ? setTimeout(() => this.#breakOff(response, upstreamRequest), cutAnswersAfterMs)
      : undefined
    const end = (): void => clearTimeout(timer)
    ;(response as Writable).once('close', end)
    if (bufferAnswers) this.#countFault('answer held')
    await copyAnswer(answer, response, { isBuffered: bufferAnswers, splitter })
  }

  #breakOff(response: ProxyResponse, upstreamRequest: ClientRequest): void {
    this.#countFault('answer cut')
    abortAnswer(response)
    upstreamRequest.destroy()
  }

  #countPieceOutcome<Outcome extends string>(outcome: Outcome): Outcome {
    if (outcome !== 'passes') this.#countFault(`data ${outcome}`)
    return outcome
  }

  // WebSocket

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.requestLog.push(`UPGRADE ${pathOf(request)}`)
    socket.on('error', () => {})
    if (this.#faults.upgrade === 'refused') {
      this.#countFault('upgrade refused')
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      return
    }
    const target = connect({ port: this.targetPort, host: '127.0.0.1', noDelay: true })
    this.#trackSocket(target)
    target.on('error', () => socket.destroy())
    target.on('close', () => socket.destroy())
    socket.on('close', () => target.destroy())
    target.write(requestHeadOf(request))
    target.write(head)
    socket.pipe(target).pipe(socket)
  }
}

async function createProxyServer(protocol: ProxyProtocol): Promise<Server> {
  if (protocol === 'http') return http.createServer({ requestTimeout: 0 })
  const tls = await createSelfSignedCertificate()
  if (protocol === 'https') return https.createServer({ ...tls, requestTimeout: 0 })
  return http2.createSecureServer({ ...tls, allowHTTP1: true })
}

interface CopyOptions {
  readonly isBuffered: boolean
  readonly splitter: AnswerSplitter | null
}

/** Resolves when the answer has ended. Rejects when it broke off. */
async function copyAnswer(
  answer: IncomingMessage,
  response: ProxyResponse,
  { isBuffered, splitter }: CopyOptions,
): Promise<void> {
  const out: Writable = response
  const beginAnswer = (): void => {
    const { 'content-length': _length, ...headers } = endToEndHeaders(answer.headers)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value as string)
    const status = answer.statusCode ?? 502
    if ('stream' in response) response.writeHead(status)
    else response.writeHead(status).flushHeaders()
  }
  const write = (bytes: Buffer): void => void (bytes.length > 0 && !out.destroyed && out.write(bytes))
  if (!isBuffered) beginAnswer()
  const bufferedBytes: Buffer[] = []
  for await (const bytes of answer as AsyncIterable<Buffer>) {
    if (out.destroyed) return
    const outgoing = splitter ? splitter.push(bytes) : bytes
    if (isBuffered) bufferedBytes.push(outgoing)
    else write(outgoing)
  }
  if (out.destroyed) return
  if (isBuffered) beginAnswer()
  write(Buffer.concat([...bufferedBytes, ...(splitter ? [splitter.end()] : [])]))
  out.end()
}

async function waitForAnswer(upstreamRequest: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(upstreamRequest, 'response')) as [IncomingMessage]
  return answer
}

async function discardAnswer(upstreamRequest: ClientRequest): Promise<void> {
  const answer = await waitForAnswer(upstreamRequest)
  for await (const _bytes of answer) continue
}

/** Makes the client's request fail; over HTTP/2 its other requests continue. */
function abortAnswer(response: ProxyResponse): void {
  if ('stream' in response) response.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR)
  else response.socket?.destroy()
}

const pathOf = ({ url }: ProxyRequest): string => (url ?? '').split('?')[0] ?? ''

const hostOf = ({ headers }: ProxyRequest): string => String(headers[':authority'] ?? headers.host ?? '')

const hopByHopHeaders = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'http2-settings',
])

const endToEndHeaders = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !hopByHopHeaders.has(name)),
  )

function requestHeadOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
