/**
 * Records what a page really sends and receives, by itself and through the shared worker of its browser context, as the browser itself
 * reports it: the text of the dialog alone would prove nothing.
 */
import type { BrowserContext, CDPSession, Page } from '@playwright/test'

interface NetworkExchange {
  readonly kind: 'WebSocket' | 'EventSource' | 'Fetch'
  readonly url: string
  /** The protocol's name in ALPN: `h2`, `http/1.1`. */
  readonly protocol: string
}

interface ResponseEvent {
  readonly requestId: string
  readonly type: string
  readonly response: { readonly url: string; readonly protocol?: string }
}

/** The events of the DevTools protocol that are read here. */
type NetworkEvent =
  | { readonly method: 'Network.webSocketCreated'; readonly params: { requestId: string; url: string } }
  | {
      readonly method: 'Network.webSocketHandshakeResponseReceived'
      readonly params: { requestId: string; response: { status: number } }
    }
  | { readonly method: 'Network.responseReceived'; readonly params: ResponseEvent }
  | {
      readonly method: `Network.${'webSocketFrameSent' | 'webSocketFrameReceived' | 'webSocketClosed' | 'loadingFinished' | 'loadingFailed'}`
      readonly params: { readonly requestId: string }
    }
  | { readonly method: 'Inspector.targetCrashed'; readonly params: object }

/** The request type and path by which each transport's frames arrive. */
export const carrierByTransport = {
  websocket: ['WebSocket', '/sync/websocket'],
  sse: ['EventSource', '/sync/sse'],
  stream: ['Fetch', '/sync/stream'],
  'long-poll': ['Fetch', '/sync/poll/next'],
  poll: ['Fetch', '/sync/poll/next'],
} as const

export class PageNetworkLog {
  readonly #page = new NetworkLog()
  readonly #workers: NetworkLog
  #gapCount = 0

  static async attachTo(page: Page): Promise<PageNetworkLog> {
    const session = await page.context().newCDPSession(page)
    const networkLog = new PageNetworkLog(await workersOf(page.context(), session))
    session.on('event', (event) => networkLog.#page.record(event as NetworkEvent))
    await session.send('Network.enable')
    return networkLog
  }

  private constructor(workers: NetworkLog) {
    this.#workers = workers
    for (const log of [this.#page, this.#workers])
      log.closeListeners.push(() => {
        if (this.openLinks === 0) this.#gapCount++
      })
  }

  /** The number of WebSocket frames, both ways. */
  get webSocketFrames(): number {
    return this.#page.webSocketFrames
  }

  /** How often the last open link closed before another one was open. */
  get linkGapCount(): number {
    return this.#gapCount
  }

  /** The open links that may carry what this page sends. Polling keeps nothing open. */
  get openLinks(): number {
    return this.pageLinks + this.workerLinks
  }

  get pageLinks(): number {
    return this.#page.openLinkIds.size
  }

  /** The same for all pages of a browser context. */
  get workerLinks(): number {
    return this.#workers.openLinkIds.size
  }

  /** The HTTP versions that carried the sync requests. */
  get syncProtocols(): string[] {
    const syncExchanges = this.#exchanges.filter(({ url }) => new URL(url).pathname.startsWith('/sync'))
    return [...new Set(syncExchanges.map(({ protocol }) => protocol))]
  }

  /** @param path Any path when it is not given. */
  findLastExchange(kind: NetworkExchange['kind'], path?: string): NetworkExchange | undefined {
    return this.#exchanges.findLast(
      ({ kind: exchangeKind, url }) =>
        exchangeKind === kind && (path === undefined || new URL(url).pathname === path),
    )
  }

  get #exchanges(): readonly NetworkExchange[] {
    return [...this.#page.exchanges, ...this.#workers.exchanges]
  }
}

class NetworkLog {
  readonly exchanges: NetworkExchange[] = []
  /** By the browser's request id. */
  readonly openLinkIds = new Set<string>()
  readonly closeListeners: (() => void)[] = []
  webSocketFrames = 0
  readonly #urls = new Map<string, string>()

  record({ method, params }: NetworkEvent): void {
    switch (method) {
      case 'Network.webSocketCreated':
        return void this.#urls.set(params.requestId, params.url)
      case 'Network.webSocketHandshakeResponseReceived': {
        // An RFC 8441 handshake is answered by 200 inside the shared HTTP/2 connection.
        const protocol = params.response.status === 101 ? 'http/1.1' : 'h2'
        this.exchanges.push({ kind: 'WebSocket', url: this.#urls.get(params.requestId) ?? '', protocol })
        return void this.openLinkIds.add(params.requestId)
      }
      case 'Network.webSocketFrameSent':
      case 'Network.webSocketFrameReceived':
        return void this.webSocketFrames++
      case 'Network.responseReceived':
        return this.#onResponse(params)
      case 'Network.webSocketClosed':
      case 'Network.loadingFinished':
      case 'Network.loadingFailed':
        return this.#onLinkClosed(params.requestId)
      case 'Inspector.targetCrashed':
        for (const id of this.openLinkIds) this.#onLinkClosed(id)
    }
  }

  #onResponse({ requestId, type, response: { url, protocol = '' } }: ResponseEvent): void {
    if (type !== 'EventSource' && type !== 'Fetch') return
    this.exchanges.push({ kind: type, url, protocol })
    if (type === 'EventSource' || new URL(url).pathname === '/sync/stream') this.openLinkIds.add(requestId)
  }

  #onLinkClosed(requestId: string): void {
    if (this.openLinkIds.delete(requestId)) for (const listener of this.closeListeners) listener()
  }
}

const logsOfWorkers = new WeakMap<BrowserContext, Promise<NetworkLog>>()

/** One log for all pages of a context: a page that opens later would not learn of the links that are open by then. */
function workersOf(context: BrowserContext, session: CDPSession): Promise<NetworkLog> {
  const existing = logsOfWorkers.get(context)
  if (existing) return existing
  const log = recordWorkers(context, session)
  logsOfWorkers.set(context, log)
  return log
}

/** Only the browser's own session finds workers, and Playwright has no sessions for them: their messages are wrapped in its own. */
async function recordWorkers(context: BrowserContext, session: CDPSession): Promise<NetworkLog> {
  const log = new NetworkLog()
  const { targetInfo: pageTarget } = await session.send('Target.getTargetInfo')
  const browserSession = await context.browser()!.newBrowserCDPSession()
  const attachTo = async (targetId: string): Promise<void> => {
    const { sessionId } = await browserSession.send('Target.attachToTarget', { targetId })
    const message = JSON.stringify({ id: 1, method: 'Network.enable' })
    await browserSession.send('Target.sendMessageToTarget', { sessionId, message })
  }
  browserSession.on('Target.targetCreated', ({ targetInfo: { targetId, type, browserContextId } }) => {
    if (type === 'shared_worker' && browserContextId === pageTarget.browserContextId)
      attachTo(targetId).catch(() => {}) // The worker has ended already.
  })
  browserSession.on('Target.receivedMessageFromTarget', ({ message }) =>
    log.record(JSON.parse(message) as NetworkEvent),
  )
  browserSession.on('Target.detachedFromTarget', () =>
    log.record({ method: 'Inspector.targetCrashed', params: {} }),
  )
  context.once('close', () => void browserSession.detach().catch(() => {}))
  await browserSession.send('Target.setDiscoverTargets', { discover: true })
  return log
}
