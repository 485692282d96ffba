import { afterEach, expect, test, vi } from 'vitest'
import { keepTransports } from './keep-transports.ts'
import { useOfflineState } from '@/components/connection/service-worker.ts'

afterEach(() => useOfflineState.setState({ state: 'asking' }))

test.each([
  ['absent', 1],
  ['refused', 1],
  ['ready', 0],
] as const)(
  'where the service worker is %s, the transports are loaded ahead %i times',
  async (state, times) => {
    useOfflineState.setState({ state })
    const load = vi.fn(async () => {})
    await keepTransports(load)
    expect(load).toHaveBeenCalledTimes(times)
  },
)
