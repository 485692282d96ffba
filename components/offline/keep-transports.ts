import { loadInBackground } from '@/lib/load-in-background.ts'
import { useOfflineState } from '@/components/connection/service-worker.ts'

const loadCode = loadInBackground(() => import('@/lib/transports/load-ahead.ts'))

async function loadTransports(): Promise<void> {
  const { loadTransportsAhead } = await loadCode()
  await loadTransportsAhead()
}

/** Loads all transports where no service worker keeps them. Call it once it is known whether there is one. */
export async function keepTransports(load: () => Promise<void> = loadTransports): Promise<void> {
  if (useOfflineState.getState().state !== 'ready') await load()
}
