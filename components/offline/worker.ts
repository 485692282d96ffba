/** Whether pages open offline in this browser, and why not. Knows the service worker's registration, and nothing it does. */
import { create } from 'zustand'

export type OfflineState = 'asking' | 'ready' | 'refused' | 'absent'

export const useOffline = create<{ state: OfflineState }>(() => ({ state: 'asking' }))

const tell = (state: OfflineState) => useOffline.setState({ state })

/** After everything else: it fetches all scripts of the site once more, into its cache. */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return tell('absent')
  if (process.env.NODE_ENV !== 'production') return dismissWorkers()
  try {
    await navigator.serviceWorker.register('/sw.js')
    await navigator.serviceWorker.ready
    tell('ready')
  } catch {
    tell('refused')
  }
}

/** In development scripts change under their names, and a worker that a build at this address left would go on with the old ones. */
async function dismissWorkers(): Promise<void> {
  tell('absent')
  const registrations = await navigator.serviceWorker.getRegistrations().catch(() => [])
  await Promise.all(registrations.map((registration) => registration.unregister()))
}
