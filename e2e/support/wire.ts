/** What a page really sends and hears, as the browser itself reports it: the dialog's word alone would prove nothing. */
import type { CDPSession, Page } from '@playwright/test'

interface Exchange {
  readonly kind: 'WebSocket' | 'EventSource' | 'Fetch'
  readonly url: string
  /** As ALPN names it: `h2`, `http/1.1`. */
  readonly protocol: string
}

/** What brings each transport's frames down, and from which path. */
export const carrierOf = {
  websocket: ['WebSocket', '/sync/websocket'],
  sse: ['EventSource', '/sync/sse'],
  stream: ['Fetch', '/sync/stream'],
  'long-poll': ['Fetch', '/sync/poll/next'],
  poll: ['Fetch', '/sync/poll/next'],
} as const

export class Wire {
  readonly exchanges: Exchange[] = []
  /** Frames seen on WebSockets, both ways. */
  frames = 0
  /** Links that are open, by the browser's request id. Those that are polled have nothing that stays open. */
  readonly #open = new Set<string>()
  #momentsWithout = 0

  static async watch(page: Page): Promise<Wire> {
    const wire = new Wire()
    const session = await page.context().newCDPSession(page)
    wire.#listen(session)
    await session.send('Network.enable')
    return wire
  }

  /** How often the last open link closed before another was open. */
  get momentsWithoutLink(): number {
    return this.#momentsWithout
  }

  get openLinks(): number {
    return this.#open.size
  }

  /** @param path Of any address, unless given. */
  last(kind: Exchange['kind'], path?: string): Exchange | undefined {
    return this.exchanges.findLast(
      ({ kind: of, url }) => of === kind && (path === undefined || new URL(url).pathname === path),
    )
  }

  #listen(session: CDPSession): void {
    const urls = new Map<string, string>()
    session.on('Network.webSocketCreated', ({ requestId, url }) => urls.set(requestId, url))
    session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response: { status } }) => {
      // An RFC 8441 handshake is answered by 200 inside the shared HTTP/2 connection.
      const protocol = status === 101 ? 'http/1.1' : 'h2'
      this.exchanges.push({ kind: 'WebSocket', url: urls.get(requestId) ?? '', protocol })
      this.#open.add(requestId)
    })
    session.on('Network.webSocketFrameSent', () => this.frames++)
    session.on('Network.webSocketFrameReceived', () => this.frames++)
    session.on('Network.webSocketClosed', ({ requestId }) => this.#closed(requestId))
    session.on('Network.responseReceived', ({ requestId, type, response: { url, protocol = '' } }) => {
      if (type === 'EventSource' || type === 'Fetch') this.exchanges.push({ kind: type, url, protocol })
      const streams = type === 'Fetch' && new URL(url).pathname === '/sync/stream'
      if (type === 'EventSource' || streams) this.#open.add(requestId)
    })
    session.on('Network.loadingFinished', ({ requestId }) => this.#closed(requestId))
    session.on('Network.loadingFailed', ({ requestId }) => this.#closed(requestId))
  }

  #closed(requestId: string): void {
    if (this.#open.delete(requestId) && this.#open.size === 0) this.#momentsWithout++
  }
}
