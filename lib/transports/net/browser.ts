/** The platform of a page. Knows its APIs; does not know transports. */
import type { FetchInit, Net, NetOptions, WebSocketLike } from './net.ts'

/** Options are for Node; a browser decides by itself whom it trusts. */
export function createNet(_options: NetOptions = {}): Net {
  const seen = watchProtocols()
  return {
    bringsCookies: true,
    webSocket: (url) => new WebSocket(url) as WebSocketLike,
    fetch: (url, init) => fetch(url, requestInit(init)),
    eventSource: (url) => new EventSource(url),
    canStreamBody: (origin) =>
      streamsBodies && origin.startsWith('https:') && seen.protocolOf(origin) !== 'http/1.1',
    // Unless a server offers WebSocket within HTTP/2 (RFC 8441), and ours does not, a page's WebSocket speaks HTTP/1.1.
    protocolOf: (url) => (url.startsWith('ws') ? 'http/1.1' : seen.protocolOf(url)),
    dispose: seen.stop,
  }
}

const requestInit = ({ body, ...init }: FetchInit): RequestInit => ({
  ...init,
  cache: 'no-store',
  ...(body && { body }),
  ...(body instanceof ReadableStream && { duplex: 'half' }),
})

/** Where streams are not known as bodies, one is turned into text: then `duplex` is not read, and a content type appears. */
function detectStreamedBodies(): boolean {
  let duplexRead = false
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      duplexRead = true
      return 'half'
    },
  }
  try {
    return !new Request('https://localhost/', init).headers.has('content-type') && duplexRead
  } catch {
    return false
  }
}

const streamsBodies = detectStreamedBodies()

interface Protocols {
  protocolOf(url: string): string
  stop(): void
}

/**
 * Remembers each origin's latest protocol. An observer goes on hearing when the page's own buffer of 250 entries is full.
 * An EventSource has no entry while it is open (Chromium), but shares the connection of the ticket fetched just before it.
 */
function watchProtocols(): Protocols {
  const latest = new Map<string, string>()
  const note = (entries: PerformanceEntryList): void => {
    for (const entry of entries as PerformanceResourceTiming[]) {
      if (entry.nextHopProtocol) latest.set(new URL(entry.name).origin, entry.nextHopProtocol)
    }
  }
  const observer = new PerformanceObserver((list) => note(list.getEntries()))
  observer.observe({ type: 'resource', buffered: true })
  return {
    protocolOf(url) {
      note(observer.takeRecords())
      return latest.get(new URL(url).origin) ?? ''
    },
    stop: () => observer.disconnect(),
  }
}
