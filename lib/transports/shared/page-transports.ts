/** The windows of a browser, and the transports as its pages use them. Outside browsers nothing is shared. */
import type { Transport, TransportId } from '../transport.ts'
import type { SharingPlatform } from './sharing-platform.ts'
import { shareTransport } from './shared-transport.ts'

/**
 * Those whose requests stay open, of which HTTP/1.1 allows few. Not `poll`: it holds none, and in a window that leads and is
 * hidden it would ask once a minute, for all.
 */
const sharedTransportIds: readonly TransportId[] = ['sse', 'stream', 'long-poll']

type Transports = ReadonlyMap<TransportId, Transport>

/** For a page, once: what of it is in use is then known to all its documents. */
export function shareAmongWindows(transports: Transports, platform = pageSharingPlatform()): Transports {
  if (!platform) return transports
  const entries = [...transports].map(
    ([id, transport]) =>
      [id, sharedTransportIds.includes(id) ? shareTransport(transport, platform) : transport] as const,
  )
  return new Map(entries)
}

function pageSharingPlatform(): SharingPlatform | null {
  const isBrowser = typeof document !== 'undefined' && typeof BroadcastChannel !== 'undefined'
  // Locks are for secure contexts alone: localhost is one, whatever its scheme.
  if (!isBrowser || !('locks' in navigator)) return null
  return {
    locks: navigator.locks,
    joinChannel: (name) => new BroadcastChannel(name),
    isVisible: () => document.visibilityState === 'visible',
    onVisible: (listener) =>
      addListener(document, 'visibilitychange', () => {
        if (document.visibilityState === 'visible') listener()
      }),
    onLeave(listener) {
      const undo = [addListener(window, 'pagehide', listener), addListener(document, 'freeze', listener)]
      return () => undo.forEach((stop) => stop())
    },
  }
}

function addListener(on: EventTarget, type: string, listener: () => void): () => void {
  on.addEventListener(type, listener)
  return () => on.removeEventListener(type, listener)
}
