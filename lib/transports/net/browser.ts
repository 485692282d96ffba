/** The platform of a page. Knows its APIs; does not know transports. */
import type { FetchInit, Net, NetOptions, WebSocketLike } from './net.ts'
import { RoundTrips } from './round-trips.ts'

/** Options are for Node; a browser decides by itself whom it trusts. */
export function createNet(_options: NetOptions = {}): Net {
  const seen = watchRequests()
  return {
    bringsCookies: true,
    webSocket: (url, _headers, protocols) => new WebSocket(url, [...protocols]) as WebSocketLike,
    fetch(url, init) {
      if (init.parked) seen.parked(url)
      return fetch(url, requestInit(init))
    },
    eventSource: (url) => new EventSource(url),
    canStreamBody: (origin) =>
      streamsBodies && origin.startsWith('https:') && seen.protocolOf(origin) !== 'http/1.1',
    protocolOf: seen.protocolOf,
    roundTripMs: seen.roundTripMs,
    visible: () => document.visibilityState === 'visible',
    dispose: seen.stop,
  }
}

const requestInit = ({ body, parked: _parked, ...init }: FetchInit): RequestInit => ({
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

interface Watch {
  protocolOf(url: string): string
  roundTripMs(origin: string): number | undefined
  /** From now on requests to this address are no measure. */
  parked(url: string): void
  stop(): void
}

/** Larger ones take time for their bytes. */
const SMALL_BYTES = 16 * 1024

/**
 * Remembers each origin's latest protocol and round trips. An observer goes on hearing when the page's own buffer of 250 entries is
 * full. An EventSource has no entry while it is open (Chromium), but shares the connection of the ticket fetched just before it.
 */
function watchRequests(): Watch {
  const latest = new Map<string, string>()
  const roundTrips = new RoundTrips()
  const parked = new Set<string>()
  const note = (entry: PerformanceResourceTiming): void => {
    const { origin } = new URL(entry.name)
    if (entry.nextHopProtocol) latest.set(origin, entry.nextHopProtocol)
    const { requestStart, responseStart, transferSize } = entry
    // A request answered from a cache has no times of its own.
    const measures = requestStart > 0 && responseStart > requestStart && transferSize <= SMALL_BYTES
    if (measures && !parked.has(entry.name)) roundTrips.note(origin, responseStart - requestStart)
  }
  const noteAll = (entries: PerformanceEntryList): void =>
    (entries as PerformanceResourceTiming[]).forEach(note)
  const observer = new PerformanceObserver((list) => noteAll(list.getEntries()))
  observer.observe({ type: 'resource', buffered: true })
  return {
    protocolOf(url) {
      noteAll(observer.takeRecords())
      return latest.get(new URL(url).origin) ?? ''
    },
    roundTripMs(origin) {
      noteAll(observer.takeRecords())
      return roundTrips.least(origin)
    },
    parked: (url) => void parked.add(url),
    stop: () => observer.disconnect(),
  }
}
