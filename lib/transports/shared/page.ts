/** The windows of a browser, and the transports as its pages use them. Outside browsers nothing is shared. */
import type { Transport, TransportId } from '../transport.ts'
import type { SharingPowers } from './powers.ts'
import { shared } from './shared.ts'

/**
 * Those whose requests stay open, of which HTTP/1.1 allows few. Not `poll`: it holds none, and in a window that leads and is
 * hidden it would ask once a minute, for all.
 */
const carried: readonly TransportId[] = ['sse', 'stream', 'long-poll']

type Transports = ReadonlyMap<TransportId, Transport>

/** For a page, once: what of it is in use is then known to all its documents. */
export function sharedAmongWindows(transports: Transports, powers = powersOfPage()): Transports {
  if (!powers) return transports
  const entries = [...transports].map(
    ([id, transport]) => [id, carried.includes(id) ? shared(transport, powers) : transport] as const,
  )
  return new Map(entries)
}

function powersOfPage(): SharingPowers | null {
  const isBrowser = typeof document !== 'undefined' && typeof BroadcastChannel !== 'undefined'
  // Locks are for secure contexts alone: localhost is one, whatever its scheme.
  if (!isBrowser || !('locks' in navigator)) return null
  return {
    locks: navigator.locks,
    channel: (name) => new BroadcastChannel(name),
    visible: () => document.visibilityState === 'visible',
    onVisible: (listener) =>
      listening(document, 'visibilitychange', () => {
        if (document.visibilityState === 'visible') listener()
      }),
    onLeave(listener) {
      const undo = [listening(window, 'pagehide', listener), listening(document, 'freeze', listener)]
      return () => undo.forEach((stop) => stop())
    },
  }
}

function listening(on: EventTarget, type: string, listener: () => void): () => void {
  on.addEventListener(type, listener)
  return () => on.removeEventListener(type, listener)
}
