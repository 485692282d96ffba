/** What a page really sends and hears, as the browser itself reports it: the dialog's word alone would prove nothing. */
import type { CDPSession, Page } from '@playwright/test'

interface Exchange {
  readonly kind: 'WebSocket' | 'EventSource' | 'Fetch'
  readonly url: string
  /** As ALPN names it: `h2`, `http/1.1`. */
  readonly protocol: string
}

export class Wire {
  readonly exchanges: Exchange[] = []
  /** Frames seen on WebSockets, both ways. */
  frames = 0

  static async watch(page: Page): Promise<Wire> {
    const wire = new Wire()
    const session = await page.context().newCDPSession(page)
    wire.#listen(session)
    await session.send('Network.enable')
    return wire
  }

  /** The latest exchange of that kind on a path of the conversation. */
  last(kind: Exchange['kind']): Exchange | undefined {
    return this.exchanges.findLast((exchange) => exchange.kind === kind)
  }

  #listen(session: CDPSession): void {
    const sockets = new Map<string, string>()
    session.on('Network.webSocketCreated', ({ requestId, url }) => sockets.set(requestId, url))
    session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response }) => {
      const url = sockets.get(requestId) ?? ''
      // An RFC 8441 handshake is answered by 200 inside the shared HTTP/2 connection.
      this.exchanges.push({ kind: 'WebSocket', url, protocol: response.status === 101 ? 'http/1.1' : 'h2' })
    })
    session.on('Network.webSocketFrameSent', () => this.frames++)
    session.on('Network.webSocketFrameReceived', () => this.frames++)
    session.on('Network.responseReceived', ({ type, response: { url, protocol = '' } }) => {
      if (type === 'EventSource' || type === 'Fetch') this.exchanges.push({ kind: type, url, protocol })
    })
  }
}
