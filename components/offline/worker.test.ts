import { afterEach, expect, test, vi } from 'vitest'
import { registerWorker, useOffline } from './worker.ts'

afterEach(() => vi.unstubAllGlobals())

test('[D6] in development no worker serves pages, not even one that a build at the same address left', async () => {
  const unregister = vi.fn(async () => true)
  vi.stubGlobal('navigator', { serviceWorker: { getRegistrations: async () => [{ unregister }] } })
  await registerWorker()
  expect(unregister).toHaveBeenCalledOnce()
  expect(useOffline.getState()).toEqual({ state: 'absent' })
})
