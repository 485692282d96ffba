/** The platform of a page. It knows the page's APIs; it does not know transports. */
import type { FetchInit, NetworkPlatform, NetworkPlatformOptions, WebSocketLike } from './net.ts'
import { RoundTripHistory } from './round-trip-history.ts'

/** The options are for Node; a browser decides by itself whom it trusts. */
export function createNet(_options: NetworkPlatformOptions = {}): NetworkPlatform {
  const requestMonitor = monitorRequests()
  return {
    bringsCookies: true,
    webSocket: (url, _headers, protocols) => new WebSocket(url, [...protocols]) as WebSocketLike,
    fetch(url, init) {
      if (init.parked) requestMonitor.ignoreParked(url)
      return fetch(url, requestInit(init))
    },
    eventSource: (url) => new EventSource(url),
    canStreamBody: (origin) =>
      streamsBodies && origin.startsWith('https:') && requestMonitor.protocolOf(origin) !== 'http/1.1',
    protocolOf: requestMonitor.protocolOf,
    roundTripMs: requestMonitor.roundTripMs,
    visible: () => document.visibilityState === 'visible',
    dispose: requestMonitor.dispose,
  }
}

const requestInit = ({ body, parked: _parked, ...init }: FetchInit): RequestInit => ({
  ...init,
  cache: 'no-store',
  ...(body && { body }),
  ...(body instanceof ReadableStream && { duplex: 'half' }),
})

/** A browser that does not support streams as bodies turns one into text: `duplex` is not read, and a content type appears. */
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

interface RequestMonitor {
  protocolOf(url: string): string
  roundTripMs(origin: string): number | undefined
  /** From now on requests to this address are not measured. */
  ignoreParked(url: string): void
  dispose(): void
}

/** The largest answer that is measured: larger ones take time for their bytes. */
const SMALL_BYTES = 16 * 1024

/**
 * Remembers each origin's latest protocol and round trips. An observer receives entries even when the page's own buffer of 250 is
 * full. An EventSource has no entry while it is open (Chromium), but shares the connection of the ticket fetched just before it.
 */
function monitorRequests(): RequestMonitor {
  const latest = new Map<string, string>()
  const roundTrips = new RoundTripHistory()
  const parked = new Set<string>()
  const recordEntry = (entry: PerformanceResourceTiming): void => {
    const { origin } = new URL(entry.name)
    if (entry.nextHopProtocol) latest.set(origin, entry.nextHopProtocol)
    const { requestStart, responseStart, transferSize } = entry
    // Nothing is transferred for a request that a cache answers, and its times are those of the disk.
    const isSmall = transferSize > 0 && transferSize <= SMALL_BYTES
    const isMeasured = isSmall && requestStart > 0 && responseStart > requestStart
    if (isMeasured && !parked.has(entry.name)) roundTrips.record(origin, responseStart - requestStart)
  }
  const recordEntries = (entries: PerformanceEntryList): void =>
    (entries as PerformanceResourceTiming[]).forEach(recordEntry)
  const observer = new PerformanceObserver((list) => recordEntries(list.getEntries()))
  observer.observe({ type: 'resource', buffered: true })
  return {
    protocolOf(url) {
      recordEntries(observer.takeRecords())
      return latest.get(new URL(url).origin) ?? ''
    },
    roundTripMs(origin) {
      recordEntries(observer.takeRecords())
      return roundTrips.minimum(origin)
    },
    ignoreParked: (url) => void parked.add(url),
    dispose: () => observer.disconnect(),
  }
}
