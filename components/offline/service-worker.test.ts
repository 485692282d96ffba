import { afterEach, expect, test, vi } from 'vitest'
import { registerServiceWorker, useOfflineState } from './service-worker.ts'

afterEach(() => vi.unstubAllGlobals())

test('[D6] in development no service worker serves pages, not even one left by a build at the same address', async () => {
  const unregister = vi.fn(async () => true)
  vi.stubGlobal('navigator', { serviceWorker: { getRegistrations: async () => [{ unregister }] } })
  await registerServiceWorker()
  expect(unregister).toHaveBeenCalledOnce()
  expect(useOfflineState.getState()).toEqual({ state: 'absent' })
})
