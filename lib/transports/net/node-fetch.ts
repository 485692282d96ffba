/**
 * The part of fetch that transports use, over one HTTP/2 session per origin, or HTTP/1.1 if ALPN or the scheme says so.
 * Node's own fetch speaks only HTTP/1.1, knows no private authority, and cannot stream a body while it reads the answer.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { ClientHttp2Session, Settings } from 'node:http2'
import { connect as http2Connect, constants } from 'node:http2'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { connect as tlsConnect } from 'node:tls'
import type { FetchInit } from './net.ts'
import { RoundTripHistory } from './round-trip-history.ts'

export interface TlsTrust {
  readonly ca?: string | undefined
  readonly rejectUnauthorized: boolean
}

/** The flow-control window for the server: Node's default of 64 KiB stalls a frame of the largest size. */
const WINDOW_BYTES = 1024 * 1024
const HANDSHAKE_MS = 10_000
const RESPONSE_BUFFER_BYTES = 256 * 1024

export class NodeFetch {
  readonly #trust: TlsTrust
  readonly #sessions = new Map<string, Promise<ClientHttp2Session | null>>()
  readonly #protocols = new Map<string, string>()
  readonly #roundTrips = new RoundTripHistory()
  readonly #agents: { http: HttpAgent; https: HttpsAgent }

  constructor(trust: TlsTrust) {
    this.#trust = trust
    this.#agents = {
      http: new HttpAgent({ keepAlive: true }),
      https: new HttpsAgent({ keepAlive: true, ...trust }),
    }
  }

  async fetch(url: string, init: FetchInit): Promise<Response> {
    init.signal?.throwIfAborted()
    const address = new URL(url)
    const session = address.protocol === 'https:' ? await this.session(address) : null
    init.signal?.throwIfAborted()
    this.#protocols.set(address.origin, session ? 'h2' : 'http/1.1')
    const sentAt = performance.now()
    const response = session
      ? await this.#overHttp2(session, address, init)
      : await this.#overHttp1(address, init)
    const isMeasured = !init.parked && !(init.body instanceof ReadableStream)
    if (isMeasured) this.#roundTrips.record(address.origin, performance.now() - sentAt)
    return response
  }

  roundTripMs(origin: string): number | undefined {
    return this.#roundTrips.minimum(origin)
  }

  protocolOf(url: string): string {
    return this.#protocols.get(new URL(url).origin) ?? ''
  }

  dispose(): void {
    for (const session of this.#sessions.values()) {
      void session.then(
        (open) => open?.close(),
        () => {},
      )
    }
    this.#sessions.clear()
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  /** Resolves to null if the origin speaks only HTTP/1.1. */
  async session(address: URL): Promise<ClientHttp2Session | null> {
    const existing = this.#sessions.get(address.origin)
    const session = await existing
    // A session that ends on a silent connection emits `close` only when the connection does.
    if (existing && !session?.destroyed && !session?.closed) return session ?? null
    if (this.#sessions.get(address.origin) === existing) this.#sessions.delete(address.origin)
    return this.#newSession(address)
  }

  #newSession({ origin, hostname, port }: URL): Promise<ClientHttp2Session | null> {
    const existing = this.#sessions.get(origin)
    if (existing) return existing
    const forget = (): void => {
      if (this.#sessions.get(origin) === opening) this.#sessions.delete(origin)
    }
    const host = hostname.replace(/^\[|\]$/g, '')
    const opening = openSession(origin, { host, port: Number(port || 443), trust: this.#trust }, forget)
    this.#sessions.set(origin, opening)
    opening.catch(forget)
    return opening
  }

  /** A session that left a request unanswered may be half open: the next request gets a new one. Older links may still use it. */
  #retireSession(origin: string, session: ClientHttp2Session): void {
    this.#sessions.delete(origin)
    session.close()
  }

  /** A request that the server refuses because its session ends goes to a new session, once, as in browsers. */
  async #overHttp2(session: ClientHttp2Session, address: URL, init: FetchInit): Promise<Response> {
    const retire = (): void => this.#retireSession(address.origin, session)
    try {
      return await overHttp2(session, address, init, retire)
    } catch (error) {
      if (!(error instanceof RefusedStreamError) || init.body instanceof ReadableStream) throw error
      retire()
      const next = await this.session(address)
      return next ? overHttp2(next, address, init, retire) : this.#overHttp1(address, init)
    }
  }

  #overHttp1(address: URL, init: FetchInit): Promise<Response> {
    return new Promise((resolve, reject) => {
      const secure = address.protocol === 'https:'
      const request = (secure ? httpsRequest : httpRequest)(address, {
        method: init.method,
        headers: headersOf(init),
        agent: secure ? this.#agents.https : this.#agents.http,
      })
      const undo = onAbort(init.signal, (reason) => request.destroy(asError(reason)))
      request.once('close', undo)
      request.once('error', reject)
      request.once('response', (incoming) => {
        request.on('error', () => {})
        resolve(responseOf(incoming.statusCode!, incoming.headers, incoming, init.signal))
      })
      // A streamed body may begin later, so its headers go at once. A whole body shares a segment with its headers.
      if (init.body instanceof ReadableStream) request.flushHeaders()
      sendBody(init.body, request)
    })
  }
}

interface TlsPeer {
  readonly host: string
  readonly port: number
  readonly trust: TlsTrust
}

function openSession(
  origin: string,
  { host, port, trust }: TlsPeer,
  onGone: () => void,
): Promise<ClientHttp2Session | null> {
  return new Promise((resolve, reject) => {
    const name = isIP(host) ? {} : { servername: host }
    const socket = tlsConnect({ host, port, ...name, ...trust, ALPNProtocols: ['h2', 'http/1.1'] })
    socket.setNoDelay()
    socket.setTimeout(HANDSHAKE_MS, () =>
      socket.destroy(new Error(`No TLS handshake with ${origin} within ${HANDSHAKE_MS / 1000} s`)),
    )
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      socket.setTimeout(0)
      socket.off('error', reject)
      if (socket.alpnProtocol === 'h2') return resolve(sessionOver(origin, socket, onGone))
      socket.once('error', () => {})
      socket.destroy()
      resolve(null)
    })
  })
}

const remoteSettings = new WeakMap<ClientHttp2Session, Promise<Settings>>()

/** Resolves to the server's settings once they arrived; until then Node shows its own defaults. */
export const settingsOf = (session: ClientHttp2Session): Promise<Settings> =>
  remoteSettings.get(session) ?? Promise.resolve(session.remoteSettings)

function sessionOver(
  origin: string,
  socket: ReturnType<typeof tlsConnect>,
  onGone: () => void,
): ClientHttp2Session {
  const session = http2Connect(origin, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
  })
  const settings = new Promise<Settings>((resolve) => {
    session.once('remoteSettings', resolve)
    session.once('close', () => resolve({}))
  })
  remoteSettings.set(session, settings)
  session.once('connect', () => session.setLocalWindowSize(WINDOW_BYTES))
  session.once('goaway', onGone)
  session.once('close', onGone)
  session.on('error', onGone)
  return session
}

/** The server did not take the request, and says so: it may be made again (RFC 9113, 8.7). */
class RefusedStreamError extends Error {}

function overHttp2(
  session: ClientHttp2Session,
  address: URL,
  init: FetchInit,
  onUnanswered: () => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const path = { ':method': init.method, ':path': address.pathname + address.search }
    const stream = session.request({ ...path, ...headersOf(init) }, { endStream: !init.body })
    let answered = false
    const undo = onAbort(init.signal, (reason) => {
      // This is not `close`, which would end the body normally before it resets the stream.
      stream.destroy(asError(reason))
      if (!answered) onUnanswered()
      reject(asError(reason))
    })
    stream.on('error', (error) =>
      reject(
        stream.rstCode === constants.NGHTTP2_REFUSED_STREAM ? new RefusedStreamError(error.message) : error,
      ),
    )
    stream.once('close', () => {
      undo()
      if (!answered) reject(new TypeError(`The stream ended without an answer (code ${stream.rstCode}).`))
    })
    stream.once('response', (headers) => {
      answered = true
      resolve(responseOf(headers[':status']!, headers, stream, init.signal))
    })
    sendBody(init.body, stream)
  })
}

function headersOf({ method, headers, body }: FetchInit): OutgoingHttpHeaders {
  const length = body instanceof Uint8Array ? body.byteLength : body ? undefined : 0
  return { ...headers, ...(method === 'POST' && length !== undefined && { 'content-length': length }) }
}

function sendBody(body: FetchInit['body'], out: Writable): void {
  if (body instanceof ReadableStream) void pump(body.getReader(), out)
  else out.end(body)
}

/** Never rejects: the request reports its own error. */
async function pump(reader: ReadableStreamDefaultReader<Uint8Array>, out: Writable): Promise<void> {
  out.once('close', () => void reader.cancel().catch(() => {}))
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!out.write(next.value)) await drained(out)
    }
    out.end()
  } catch (error) {
    out.destroy(asError(error))
  }
}

const drained = (out: Writable): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      out.off('drain', done).off('close', done)
      resolve()
    }
    out.on('drain', done).on('close', done)
  })

/** An answer over HTTP/2 has a code that says how its stream ended. */
type IncomingAnswer = Readable & { readonly rstCode?: number | undefined }

function responseOf(
  status: number,
  headers: Record<string, unknown>,
  incoming: IncomingAnswer,
  signal: AbortSignal | undefined,
): Response {
  const plain = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (!name.startsWith(':')) plain.set(name, String(value))
  const empty = status === 204 || status === 304
  if (empty) incoming.resume()
  return new Response(empty ? null : bodyOf(incoming, signal), { status, headers: plain })
}

function bodyOf(
  incoming: IncomingAnswer,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const start = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void => {
    let isOver = false
    const finish = (how: () => void): void => {
      if (!isOver) how()
      isOver = true
    }
    incoming.on('data', (chunk: Buffer<ArrayBuffer>) => {
      if (isOver) return
      controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
    })
    incoming.on('error', (error) => finish(() => controller.error(error)))
    const breakOff = (): void =>
      finish(() =>
        controller.error(signal?.aborted ? asError(signal.reason) : new TypeError('The answer broke off.')),
      )
    incoming.on('close', breakOff)
    // With HTTP/2 a lost connection also "ends" the answer: only its code shows the difference.
    incoming.on('end', () => (incoming.rstCode ? breakOff() : finish(() => controller.close())))
    onAbort(signal, breakOff)
  }
  const size = (chunk: Uint8Array): number => chunk.byteLength
  const pull = (): void => void incoming.resume()
  const cancel = (): void => void incoming.destroy()
  return new ReadableStream({ start, pull, cancel }, { highWaterMark: RESPONSE_BUFFER_BYTES, size })
}

function onAbort(signal: AbortSignal | undefined, run: (reason: unknown) => void): () => void {
  const listener = (): void => run(signal?.reason)
  signal?.addEventListener('abort', listener)
  return () => signal?.removeEventListener('abort', listener)
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
