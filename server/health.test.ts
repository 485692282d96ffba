import { expect, onTestFinished, test, vi } from 'vitest'
import { createHealthCheck } from './health.ts'

const options = {
  version: '1.2.3',
  storeKind: 'postgres',
  draining: () => false,
  checkStore: async () => {},
} as const

const facts = { version: '1.2.3', uptimeSeconds: 0, store: 'postgres' }

test('a server is alive and ready, with version, uptime and the kind of store, while the store works', async () => {
  const health = createHealthCheck(options)
  expect(health.checkLiveness()).toEqual({ status: 'ok', ...facts })
  expect(await health.checkReadiness()).toEqual({ status: 'ready', ...facts })
})

test('draining is reported first, without a check of the store; the server is alive', async () => {
  const checkStore = () => Promise.reject(new Error('It was asked.'))
  const health = createHealthCheck({ ...options, checkStore, draining: () => true })
  expect(await health.checkReadiness()).toEqual({ status: 'not ready', reason: 'draining', ...facts })
  expect(health.checkLiveness().status).toBe('ok')
})

test('a store that rejects or never answers is not ready, and one that recovers is', async () => {
  const answers = [() => Promise.reject(new Error('full')), () => new Promise<void>(() => {}), async () => {}]
  const health = createHealthCheck({ ...options, checkStore: () => answers.shift()!() })
  expect(await health.checkReadiness()).toMatchObject({ status: 'not ready', reason: 'store' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const late = health.checkReadiness()
  expect(health.checkLiveness().status).toBe('ok')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await late).toMatchObject({ status: 'not ready', reason: 'store' })
  expect((await health.checkReadiness()).status).toBe('ready')
})

test('concurrent callers share one check', async () => {
  let checks = 0
  const { checkReadiness } = createHealthCheck({ ...options, checkStore: async () => void checks++ })
  await Promise.all([checkReadiness(), checkReadiness(), checkReadiness()])
  expect(checks).toBe(1)
})
