/** Records what a page really sends and receives, as the browser itself reports it: the text of the dialog alone would prove nothing. */
import type { CDPSession, Page } from '@playwright/test'
import { type NetworkTransportId, transportDescriptors } from '../../lib/transports/descriptors.ts'

interface NetworkExchange {
  readonly kind: 'WebSocket' | 'EventSource' | 'Fetch'
  readonly url: string
  /** The protocol's name in ALPN: `h2`, `http/1.1`. */
  readonly protocol: string
}

type Carrier = readonly [kind: NetworkExchange['kind'], path: string]

const carriers: Partial<Record<NetworkTransportId, Carrier>> = {
  websocket: ['WebSocket', '/sync/websocket'],
  sse: ['EventSource', '/sync/sse'],
  'long-poll': ['Fetch', '/sync/poll/next'],
  poll: ['Fetch', '/sync/poll/next'],
}

/** The request type and path by which a transport's frames arrive. Any other has one long answer to the request that opens it. */
export const carrierOf = (transport: NetworkTransportId): Carrier =>
  carriers[transport] ?? ['Fetch', transportDescriptors[transport].linkPath]

export class PageNetworkLog {
  readonly exchanges: NetworkExchange[] = []
  /** The number of WebSocket frames, both ways. */
  webSocketFrames = 0
  /** The open links, by the browser's request id. Polling keeps nothing open. */
  readonly #openLinkIds = new Set<string>()
  #gapCount = 0

  static async attachTo(page: Page): Promise<PageNetworkLog> {
    const networkLog = new PageNetworkLog()
    const session = await page.context().newCDPSession(page)
    networkLog.#recordEvents(session)
    await session.send('Network.enable')
    return networkLog
  }

  /** How often the last open link closed before another one was open. */
  get linkGapCount(): number {
    return this.#gapCount
  }

  get openLinks(): number {
    return this.#openLinkIds.size
  }

  /** @param path Any path when it is not given. */
  findLastExchange(kind: NetworkExchange['kind'], path?: string): NetworkExchange | undefined {
    return this.exchanges.findLast(
      ({ kind: exchangeKind, url }) =>
        exchangeKind === kind && (path === undefined || new URL(url).pathname === path),
    )
  }

  #recordEvents(session: CDPSession): void {
    const urls = new Map<string, string>()
    session.on('Network.webSocketCreated', ({ requestId, url }) => urls.set(requestId, url))
    session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response: { status } }) => {
      // An RFC 8441 handshake is answered by 200 inside the shared HTTP/2 connection.
      const protocol = status === 101 ? 'http/1.1' : 'h2'
      this.exchanges.push({ kind: 'WebSocket', url: urls.get(requestId) ?? '', protocol })
      this.#openLinkIds.add(requestId)
    })
    session.on('Network.webSocketFrameSent', () => this.webSocketFrames++)
    session.on('Network.webSocketFrameReceived', () => this.webSocketFrames++)
    session.on('Network.webSocketClosed', ({ requestId }) => this.#onLinkClosed(requestId))
    session.on('Network.responseReceived', ({ requestId, type, response: { url, protocol = '' } }) => {
      if (type === 'EventSource' || type === 'Fetch') this.exchanges.push({ kind: type, url, protocol })
      const streams = type === 'Fetch' && new URL(url).pathname === '/sync/stream'
      if (type === 'EventSource' || streams) this.#openLinkIds.add(requestId)
    })
    session.on('Network.loadingFinished', ({ requestId }) => this.#onLinkClosed(requestId))
    session.on('Network.loadingFailed', ({ requestId }) => this.#onLinkClosed(requestId))
  }

  #onLinkClosed(requestId: string): void {
    if (this.#openLinkIds.delete(requestId) && this.#openLinkIds.size === 0) this.#gapCount++
  }
}
