import { expect, onTestFinished, test, vi } from 'vitest'
import { createHealthCheck } from './health.ts'

const options = {
  version: '1.2.3',
  storeKind: 'postgres',
  draining: () => false,
  checkStore: async () => {},
} as const

test('health is ok, with version, uptime and the kind of store, while the store works', async () => {
  expect(await createHealthCheck(options)()).toEqual({
    status: 'ok',
    version: '1.2.3',
    uptimeSeconds: 0,
    store: 'postgres',
  })
})

test('draining is reported first, without a check of the store', async () => {
  const checkStore = () => Promise.reject(new Error('It was asked.'))
  expect(await createHealthCheck({ ...options, checkStore, draining: () => true })()).toMatchObject({
    status: 'draining',
  })
})

test('a store that rejects or never answers is failing, and one that recovers is ok', async () => {
  const answers = [() => Promise.reject(new Error('full')), () => new Promise<void>(() => {}), async () => {}]
  const health = createHealthCheck({ ...options, checkStore: () => answers.shift()!() })
  expect((await health()).status).toBe('failing')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const late = health()
  await vi.advanceTimersByTimeAsync(2_000)
  expect((await late).status).toBe('failing')
  expect((await health()).status).toBe('ok')
})

test('concurrent callers share one check', async () => {
  let checks = 0
  const health = createHealthCheck({ ...options, checkStore: async () => void checks++ })
  await Promise.all([health(), health(), health()])
  expect(checks).toBe(1)
})
