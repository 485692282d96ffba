import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadInBackground } from './load-in-background.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => vi.useRealTimers())

test('code is loaded once for all who ask for it', async () => {
  const load = vi.fn(async () => 'code')
  const loadCode = loadInBackground(load)
  expect(await Promise.all([loadCode(), loadCode()])).toEqual(['code', 'code'])
  expect(load).toHaveBeenCalledOnce()
})

test('code that is gone is requested again until it loads, less and less often', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('404'))
  const loaded = loadInBackground(load)()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(load.mock.calls.length).toBeGreaterThanOrEqual(3)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(load.mock.calls.length).toBeLessThan(25)
  load.mockResolvedValue('code')
  await vi.advanceTimersByTimeAsync(600_000)
  expect(await loaded).toBe('code')
})
