/** The smallest interface of the platform that transports need. */

export interface NetworkPlatformOptions {
  /** PEM text of an authority to trust. Node only. */
  readonly ca?: string | undefined
  /** Trust any certificate. Node only; for tests. */
  readonly insecure?: boolean | undefined
  /** Carry WebSockets within HTTP/2, as Chromium does wherever a server offers it. Node only; `wss:` only. */
  readonly webSocketOverHttp2?: boolean | undefined
}

export interface NetworkPlatform {
  /** The person's cookies come along by themselves, so that no token is needed. */
  readonly bringsCookies: boolean
  /** @param headers Sent only if the platform can (Node). Browsers send their cookies instead. */
  webSocket(url: string, headers: Record<string, string>, protocols: readonly string[]): WebSocketLike
  /** The part of `fetch` that is used. Rejects when no answer comes. */
  fetch(url: string, init: FetchInit): Promise<Response>
  /** @param headers Sent as in `webSocket`. */
  eventSource(url: string, headers: Record<string, string>): EventSourceLike
  /** Whether a request body to this origin may be a stream: h2 in Chromium; any HTTP version in Node. */
  canStreamBody(origin: string): boolean
  /** The HTTP version that carried the latest request to this URL's origin ('h2', 'http/1.1'), '' if unknown. */
  protocolOf(url: string): string
  /**
   * Milliseconds from a small request to the head of its answer: the least of the latest few to that origin. Undefined before the
   * first. Streamed bodies and `parked` requests are not measured.
   */
  roundTripMs(origin: string): number | undefined
  /** Whether somebody may be looking. */
  visible(): boolean
  /** Frees what the platform holds open (Node's HTTP/2 sessions). Nothing may be used after it. */
  dispose(): void
}

export interface FetchInit {
  readonly method: 'POST' | 'GET'
  readonly headers?: Record<string, string>
  readonly body?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>
  readonly signal?: AbortSignal
  /** The request outlives its page. Browsers take up to 64 KiB of such bodies at once; in Node it changes nothing. */
  readonly keepalive?: boolean
  /** The server holds the answer back until it has a frame: its time says nothing about the network. */
  readonly parked?: boolean
}

export interface WebSocketLike {
  binaryType: string
  readonly readyState: number
  readonly bufferedAmount: number
  /** The one of the offered subprotocols that the server picked. */
  readonly protocol: string
  send(data: Uint8Array): void
  close(code?: number, reason?: string): void
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
}

/** Node's EventSource provides status and message, a browser's does not. */
export interface EventSourceFailure {
  readonly code?: number | undefined
  readonly message?: string | undefined
}

export interface EventSourceLike {
  addEventListener(type: string, listener: (event: { data?: unknown } & EventSourceFailure) => void): void
  close(): void
}
