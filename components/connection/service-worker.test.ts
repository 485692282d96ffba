import { afterEach, expect, test, vi } from 'vitest'
import { registerServiceWorker, useOfflineState } from './service-worker.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

test('[D6] in development no service worker serves pages, not even one left by a build at the same address', async () => {
  const unregister = vi.fn(async () => true)
  vi.stubGlobal('navigator', { serviceWorker: { getRegistrations: async () => [{ unregister }] } })
  await registerServiceWorker()
  expect(unregister).toHaveBeenCalledOnce()
  expect(useOfflineState.getState()).toEqual({ state: 'absent' })
})

test('a worker that cannot fill its cache counts as refused, although the browser says nothing of it', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const installing = Object.assign(new EventTarget(), { state: 'installing' })
  const register = async () => ({ installing })
  vi.stubGlobal('navigator', { serviceWorker: { register, ready: new Promise(() => {}) } })
  const registered = registerServiceWorker()
  await Promise.resolve()
  installing.state = 'redundant'
  installing.dispatchEvent(new Event('statechange'))
  await registered
  expect(useOfflineState.getState()).toEqual({ state: 'refused' })
})
