/** Makes the transports of a page share links with the browser's other windows. Outside browsers nothing is shared. */
import { transportDescriptors } from '../descriptors.ts'
import type { Transport, TransportId } from '../transport.ts'
import type { SharingPlatform } from './sharing-platform.ts'
import { shareTransport } from './shared-transport.ts'

const isShareable = (id: TransportId): boolean => id !== 'memory' && transportDescriptors[id].isShareable

type Transports = ReadonlyMap<TransportId, Transport>

/** Called once for a page, so that all its documents know the shared connections in use. */
export function shareAmongWindows(transports: Transports, platform = pageSharingPlatform()): Transports {
  if (!platform) return transports
  const entries = [...transports].map(
    ([id, transport]) => [id, isShareable(id) ? shareTransport(transport, platform) : transport] as const,
  )
  return new Map(entries)
}

function pageSharingPlatform(): SharingPlatform | null {
  const isBrowser = typeof document !== 'undefined' && typeof BroadcastChannel !== 'undefined'
  // Only secure contexts have locks: localhost is one, whatever its scheme.
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
