/** Whether pages open offline in this browser, and why not. Knows the service worker's registration, and nothing of its work. */
import { create } from 'zustand'

export type OfflineState = 'asking' | 'ready' | 'refused' | 'absent'

export const useOfflineState = create<{ state: OfflineState }>(() => ({ state: 'asking' }))

const setOfflineState = (state: OfflineState) => useOfflineState.setState({ state })

/** Runs after everything else, because the worker fetches all scripts of the site once more into its cache. */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return setOfflineState('absent')
  if (process.env.NODE_ENV !== 'production') return unregisterServiceWorkers()
  try {
    const registration = await navigator.serviceWorker.register('/sw.js')
    await Promise.race([navigator.serviceWorker.ready, rejectIfNotInstalled(registration)])
    setOfflineState('ready')
  } catch {
    setOfflineState('refused')
  }
}

/** `ready` stays pending where a first worker cannot fill its cache, as while the server changes or the disk is full. */
const rejectIfNotInstalled = ({ installing }: ServiceWorkerRegistration): Promise<never> =>
  new Promise((_resolve, reject) => {
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'redundant') reject(new Error('The service worker was not installed.'))
    })
  })

/** In development, scripts change without changing their names, and a worker left by a build at this address would serve the old ones. */
async function unregisterServiceWorkers(): Promise<void> {
  setOfflineState('absent')
  const registrations = await navigator.serviceWorker.getRegistrations().catch(() => [])
  await Promise.all(registrations.map((registration) => registration.unregister()))
}
