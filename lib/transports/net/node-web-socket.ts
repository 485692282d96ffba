/**
 * A WebSocket within an HTTP/2 connection (RFC 8441), with the interface of any other: `ws` over the stream of an extended
 * CONNECT. Chromium does this by itself wherever a server allows it.
 */
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2'
import { type ClientOptions, WebSocket } from 'ws'
import { openOverStream, UNADDRESSED } from './node-ws-internals.ts'
import type { WebSocketLike } from './net.ts'
import { settingsOf } from './node-fetch.ts'

export interface WebSocketRequest {
  readonly path: string
  readonly headers: Record<string, string>
  readonly protocols: readonly string[]
}

type Handler = ((event: never) => void) | null

/** Handles all events until the handshake is over, and then passes on those of the socket. */
export class Http2WebSocket implements WebSocketLike {
  onopen: Handler = null
  onmessage: Handler = null
  onerror: Handler = null
  onclose: Handler = null
  binaryType = 'arraybuffer'
  #socket: SocketOverStream | undefined
  #closing = false

  constructor(session: Promise<ClientHttp2Session | null>, request: WebSocketRequest, limits: ClientOptions) {
    session
      .then((open) => (open ? connect(open, request) : Promise.reject(new Error('no HTTP/2 here'))))
      .then(({ stream, protocol }) => this.#open(stream, protocol, limits))
      .catch((error: unknown) => this.#fail(error))
  }

  get readyState(): number {
    return this.#socket?.readyState ?? (this.#closing ? WebSocket.CLOSED : WebSocket.CONNECTING)
  }

  get bufferedAmount(): number {
    return this.#socket?.bufferedAmount ?? 0
  }

  get protocol(): string {
    return this.#socket?.negotiatedProtocol ?? ''
  }

  send(data: Uint8Array): void {
    this.#socket?.send(data)
  }

  close(code?: number, reason?: string): void {
    this.#closing = true
    this.#socket?.close(code, reason)
  }

  terminate(): void {
    this.#closing = true
    this.#socket?.terminate()
  }

  #open(stream: ClientHttp2Stream, protocol: string, limits: ClientOptions): void {
    if (this.#closing) return stream.close()
    const socket = new SocketOverStream(stream, protocol, limits)
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
    // The handlers are read anew at each event, since the owner replaces them.
    socket.onmessage = (event) => this.onmessage?.(event as never)
    socket.onerror = (event) => this.onerror?.(event as never)
    socket.onclose = (event) => this.onclose?.(event as never)
    this.onopen?.({} as never)
  }

  #fail(error: unknown): void {
    if (this.#closing) return
    this.#closing = true
    this.onerror?.({ message: error instanceof Error ? error.message : String(error) } as never)
  }
}

interface ConnectedStream {
  readonly stream: ClientHttp2Stream
  readonly protocol: string
}

async function connect(
  session: ClientHttp2Session,
  { path, headers, protocols }: WebSocketRequest,
): Promise<ConnectedStream> {
  const { enableConnectProtocol } = await settingsOf(session)
  if (!enableConnectProtocol) throw new Error('the server offers no WebSocket within HTTP/2')
  const stream = session.request({
    ':method': 'CONNECT',
    ':protocol': 'websocket',
    ':path': path,
    'sec-websocket-version': '13',
    'sec-websocket-protocol': protocols.join(', '),
    ...headers,
  })
  return new Promise((resolve, reject) => {
    stream.once('error', reject)
    stream.once('close', () => reject(new Error('the stream closed without an answer')))
    stream.once('response', (answer: IncomingHttpHeaders & { ':status'?: number }) => {
      stream.off('error', reject)
      if (answer[':status'] === 200)
        return resolve({ stream, protocol: String(answer['sec-websocket-protocol'] ?? '') })
      stream.once('error', () => {})
      stream.close()
      // This is the message that ws gives for an Upgrade.
      reject(new Error(`Unexpected server response: ${answer[':status']}`))
    })
  })
}

class SocketOverStream extends WebSocket {
  readonly negotiatedProtocol: string

  constructor(stream: ClientHttp2Stream, protocol: string, limits: ClientOptions) {
    super(UNADDRESSED, undefined, { autoPong: true, ...limits })
    this.negotiatedProtocol = protocol
    openOverStream(this, 'client', stream, { allowSynchronousEvents: true, ...limits })
  }
}
