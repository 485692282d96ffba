/** Whether pages open offline in this browser, and why not. Knows the service worker's registration, and nothing it does. */
import { create } from 'zustand'

export type OfflineState = 'asking' | 'ready' | 'refused' | 'absent'

export const useOffline = create<{ state: OfflineState }>(() => ({ state: 'asking' }))

const tell = (state: OfflineState) => useOffline.setState({ state })

/** After everything else: it fetches all scripts of the site once more, into its cache. */
export async function registerWorker(): Promise<void> {
  // In development pages change with every request.
  if (process.env.NODE_ENV !== 'production' || !('serviceWorker' in navigator)) return tell('absent')
  try {
    await navigator.serviceWorker.register('/sw.js')
    await navigator.serviceWorker.ready
    tell('ready')
  } catch {
    tell('refused')
  }
}
