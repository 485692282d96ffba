import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { transports } from '@/lib/transports/registry.ts'
import { loadTransportsAhead } from './load-transports-ahead.ts'
import { useOfflineState } from './service-worker.ts'

const httpTransports = [...transports.values()].filter(({ id }) => id !== 'websocket')

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  useOfflineState.setState({ state: 'asking' })
})

test.each(['absent', 'refused'] as const)(
  'where the service worker is %s, what each HTTP transport needs is loaded some seconds later, and again until it has loaded',
  async (state) => {
    const loads = httpTransports.map((transport) =>
      vi.spyOn(transport as Required<typeof transport>, 'loadAhead'),
    )
    loads[0]!.mockRejectedValueOnce(new Error('no network'))
    useOfflineState.setState({ state })
    const loaded = loadTransportsAhead()
    await vi.advanceTimersByTimeAsync(4_999)
    for (const load of loads) expect(load).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await vi.waitFor(() => expect(loads.at(-1)).toHaveBeenCalledTimes(1))
    await vi.advanceTimersByTimeAsync(10_000)
    await loaded
    for (const load of loads) expect(load).toHaveBeenCalledTimes(2)
  },
)

test('a service worker keeps them, so nothing is loaded', async () => {
  const loads = httpTransports.map((transport) =>
    vi.spyOn(transport as Required<typeof transport>, 'loadAhead'),
  )
  useOfflineState.setState({ state: 'ready' })
  await loadTransportsAhead()
  await vi.advanceTimersByTimeAsync(60_000)
  for (const load of loads) expect(load).not.toHaveBeenCalled()
})
