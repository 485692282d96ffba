/** The powers a transport needs of its platform, as the smallest interface that serves. */

export interface Net {
  /** @param headers Only where the platform can send them (Node). Browsers send their cookies instead. */
  webSocket(url: string, headers: Record<string, string>): WebSocketLike
  /** `fetch`, of which only this much is used. Rejects when no answer comes. */
  fetch(url: string, init: FetchInit): Promise<Response>
  eventSource(url: string): EventSourceLike
  /** Whether a request body to this origin may be a stream: h2 in Chromium; any HTTP version in Node. */
  canStreamBody(origin: string): boolean
  /** The HTTP version that carried the latest request to this URL ('h2', 'http/1.1'), '' where unknown. */
  protocolOf(url: string): string
  /** Frees what the platform holds open (Node's HTTP/2 sessions). Nothing is used after it. */
  dispose(): void
}

export interface FetchInit {
  readonly method: 'POST' | 'GET'
  readonly headers?: Record<string, string>
  readonly body?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>
  readonly signal?: AbortSignal
}

export interface WebSocketLike {
  binaryType: string
  readonly readyState: number
  readonly bufferedAmount: number
  send(data: Uint8Array): void
  close(code?: number, reason?: string): void
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
}

export interface EventSourceLike {
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void
  close(): void
}
