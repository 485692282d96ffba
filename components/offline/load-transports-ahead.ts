import { loadInBackground } from '@/components/ui/load-in-background.ts'
import { useOfflineState } from './service-worker.ts'

/** In ms. What the page itself needs comes first. */
const LOAD_AFTER_MS = 5_000

const loadTransports = loadInBackground(async () => {
  const { transports } = await import('@/lib/transports/registry.ts')
  await Promise.all([...transports.values()].map(async (transport) => transport.loadAhead?.()))
})

/**
 * Loads the code of all transports where no service worker keeps it. A window may be open while the server is upgraded, which then has the
 * scripts of the new build alone: the window could change to no other transport any more. Call it once it is known whether there is a
 * service worker.
 */
export async function loadTransportsAhead(): Promise<void> {
  if (useOfflineState.getState().state === 'ready') return
  await new Promise((resolve) => setTimeout(resolve, LOAD_AFTER_MS))
  await loadTransports()
}
