import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadTransportsAhead } from './load-ahead.ts'
import { transports } from './registry.ts'

const httpTransports = [...transports.values()].filter(({ id }) => id !== 'websocket')

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('what each HTTP transport needs is loaded some seconds later, and again until all of it has loaded', async () => {
  const loads = httpTransports.map((transport) =>
    vi.spyOn(transport as Required<typeof transport>, 'loadAhead').mockResolvedValue(undefined),
  )
  loads[0]!.mockRejectedValueOnce(new Error('no network'))
  const loaded = loadTransportsAhead()
  await vi.advanceTimersByTimeAsync(4_999)
  for (const load of loads) expect(load).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  for (const load of loads) expect(load).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(10_000)
  await loaded
  for (const load of loads) expect(load).toHaveBeenCalledTimes(2)
})

test('the code that is loaded ahead is what an attempt loads', async () => {
  for (const { loadAhead } of httpTransports) expect(await loadAhead!()).toBeTypeOf('function')
})
