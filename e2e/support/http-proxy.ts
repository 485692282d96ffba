/**
 * A proxy that reads HTTP and misbehaves as such proxies do: for faults below HTTP see fault-proxy.ts, which can stand in front.
 * It ends TLS where it is asked to, and speaks HTTP/1.1 with the server's plain port.
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
import { selfSigned } from '../../lib/transports/net/self-signed.ts'
import { type HttpFaults, noHttpFaults, Pieces, type PostFate } from './http-faults.ts'

/** What it speaks with clients: plain HTTP/1.1, TLS with HTTP/1.1 alone, or TLS with HTTP/2 as well. */
export type Speaks = 'http' | 'https' | 'h2'

type Request = IncomingMessage | Http2ServerRequest
type Response = ServerResponse | Http2ServerResponse

/** Long against a round trip here, so that the client has done something else meanwhile. */
const LATE_MS = 200

export class HttpProxy implements AsyncDisposable {
  readonly origin: string
  readonly port: number
  targetPort = 0
  /** How often each fault was met, so that a test can tell that it happened at all. */
  readonly met = new Map<string, number>()
  /** `POST /sync/up` and the like, as they came. */
  readonly knocks: string[] = []
  #faults: HttpFaults = noHttpFaults()
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #agent = new http.Agent({ keepAlive: true })
  readonly #closing = new AbortController()

  /** Set `targetPort` before the first request: the port is needed earlier, for the server's allowed origins. */
  static async listen(speaks: Speaks): Promise<HttpProxy> {
    const server = await serverOf(speaks)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new HttpProxy(server, speaks === 'http' ? 'http' : 'https')
  }

  private constructor(server: Server, scheme: 'http' | 'https') {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    this.origin = `${scheme}://localhost:${this.port}`
    // Node takes it as an option on http servers alone.
    Object.assign(server, { shouldUpgradeCallback: () => this.#faults.upgrade !== 'stripped' })
    server.on('connection', (socket: Socket) => this.#keep(socket))
    server.on('request', (request: Request, response: Response) => void this.#pass(request, response))
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    )
  }

  /** For requests that come from now on; what becomes of data, for data that comes from now on. */
  set(faults: Partial<HttpFaults>): void {
    this.#faults = { ...this.#faults, ...faults }
  }

  heal(): void {
    this.#faults = noHttpFaults()
  }

  /** Ends every connection at once; new ones are welcome. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    this.cut()
    this.#agent.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  #note(fault: string): void {
    this.met.set(fault, (this.met.get(fault) ?? 0) + 1)
  }

  // Requests

  /** Never rejects: whichever side broke, the other is broken off. */
  async #pass(request: Request, response: Response): Promise<void> {
    const out: Writable = response
    this.knocks.push(`${request.method} ${pathOf(request)}`)
    request.on('error', () => {})
    out.on('error', () => {})
    try {
      if (request.headers['content-length'] !== undefined || this.#faults.holdBodies)
        await this.#passWhole(request, response, await buffer(request))
      else await this.#answer(request, response, this.#forward(request, response))
    } catch {
      breakOff(response)
    }
  }

  async #passWhole(request: Request, response: Response, body: Buffer): Promise<void> {
    const fate = request.method === 'POST' ? this.#faults.fateOfPost(pathOf(request)) : 'passes'
    if (fate !== 'passes') this.#note(fate)
    if (fate === 'dropped' || fate === 'late') breakOff(response)
    if (fate === 'late') await sleep(LATE_MS, undefined, this.#closing)
    if (fate !== 'dropped') await this.#apply(fate, request, response, body)
  }

  async #apply(fate: PostFate, request: Request, response: Response, body: Buffer): Promise<void> {
    if (fate !== 'passes') await drain(this.#send(request, body))
    if (fate === 'answer lost') breakOff(response)
    if (fate !== 'passes' && fate !== 'repeated') return
    const sent = this.#send(request, body)
    ;(response as Writable).once('close', () => sent.destroy())
    await this.#answer(request, response, sent)
  }

  #send(request: Request, body: Buffer): ClientRequest {
    const sent = this.#request(request, { 'content-length': body.length })
    sent.end(body)
    return sent
  }

  /** A body of unknown length goes on as it comes. */
  #forward(request: Request, response: Response): ClientRequest {
    const sent = this.#request(request)
    ;(response as Writable).once('close', () => sent.destroy())
    if (request.method === 'GET') sent.end()
    else {
      sent.flushHeaders()
      request.on('data', (bytes: Buffer) => void sent.write(bytes))
      request.on('end', () => void sent.end())
      request.on('close', () => request.readableEnded || sent.destroy())
    }
    return sent
  }

  #request(request: Request, more: OutgoingHttpHeaders = {}): ClientRequest {
    const sent = http.request({
      port: this.targetPort,
      host: '127.0.0.1',
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: { ...endToEnd(request.headers), host: hostOf(request), ...more },
      agent: this.#agent,
    })
    sent.on('error', () => {})
    return sent
  }

  // Answers

  async #answer(request: Request, response: Response, sent: ClientRequest): Promise<void> {
    const answer = await answerTo(sent)
    const { holdAnswers, cutAnswersAfterMs } = this.#faults
    const path = pathOf(request)
    const pieces = path.startsWith('/sync/')
      ? new Pieces(answer.headers['content-type'] ?? '', () => this.#noted(this.#faults.fateOfPiece(path)))
      : null
    const timer = Number.isFinite(cutAnswersAfterMs)
      ? setTimeout(() => this.#breakOff(response, sent), cutAnswersAfterMs)
      : undefined
    const end = (): void => clearTimeout(timer)
    ;(response as Writable).once('close', end)
    if (holdAnswers) this.#note('answer held')
    await copy(answer, response, { held: holdAnswers, pieces })
  }

  #breakOff(response: Response, sent: ClientRequest): void {
    this.#note('answer cut')
    breakOff(response)
    sent.destroy()
  }

  #noted<Fate extends string>(fate: Fate): Fate {
    if (fate !== 'passes') this.#note(`data ${fate}`)
    return fate
  }

  // WebSocket

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.knocks.push(`UPGRADE ${pathOf(request)}`)
    socket.on('error', () => {})
    if (this.#faults.upgrade === 'refused') {
      this.#note('upgrade refused')
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      return
    }
    const target = connect({ port: this.targetPort, host: '127.0.0.1', noDelay: true })
    this.#keep(target)
    target.on('error', () => socket.destroy())
    target.on('close', () => socket.destroy())
    socket.on('close', () => target.destroy())
    target.write(headOf(request))
    target.write(head)
    socket.pipe(target).pipe(socket)
  }
}

async function serverOf(speaks: Speaks): Promise<Server> {
  if (speaks === 'http') return http.createServer({ requestTimeout: 0 })
  const tls = await selfSigned()
  if (speaks === 'https') return https.createServer({ ...tls, requestTimeout: 0 })
  return http2.createSecureServer({ ...tls, allowHTTP1: true })
}

interface Copying {
  readonly held: boolean
  readonly pieces: Pieces | null
}

/** Resolves when the answer has ended. Rejects when it broke off. */
async function copy(answer: IncomingMessage, response: Response, { held, pieces }: Copying): Promise<void> {
  const out: Writable = response
  const begin = (): void => {
    const { 'content-length': _length, ...headers } = endToEnd(answer.headers)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value as string)
    const status = answer.statusCode ?? 502
    if ('stream' in response) response.writeHead(status)
    else response.writeHead(status).flushHeaders()
  }
  const write = (bytes: Buffer): void => void (bytes.length > 0 && !out.destroyed && out.write(bytes))
  if (!held) begin()
  const waiting: Buffer[] = []
  for await (const bytes of answer as AsyncIterable<Buffer>) {
    if (out.destroyed) return
    const changed = pieces ? pieces.push(bytes) : bytes
    if (held) waiting.push(changed)
    else write(changed)
  }
  if (out.destroyed) return
  if (held) begin()
  write(Buffer.concat([...waiting, ...(pieces ? [pieces.end()] : [])]))
  out.end()
}

async function answerTo(sent: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer
}

async function drain(sent: ClientRequest): Promise<void> {
  const answer = await answerTo(sent)
  for await (const _bytes of answer) continue
}

/** The client sees its request fail; with HTTP/2 its other requests go on. */
function breakOff(response: Response): void {
  if ('stream' in response) response.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR)
  else response.socket?.destroy()
}

const pathOf = ({ url }: Request): string => (url ?? '').split('?')[0] ?? ''

const hostOf = ({ headers }: Request): string => String(headers[':authority'] ?? headers.host ?? '')

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'http2-settings'])

const endToEnd = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':') && !hopByHop.has(name)))

function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
