import { describe, expect, test } from 'vitest'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { FaultProxy } from '../fixtures/fault-proxy.ts'
import { runUnderFaults, waitForAcknowledgedEdits } from './fixtures/fault-scenario.ts'
import { FaultyNetwork } from '../fixtures/faulty-network.ts'

/** Nothing closes: only the missing data reveals the fault. */
const silences: Record<string, (proxy: FaultProxy) => void> = {
  'half-open: neither way': (proxy) => proxy.makeHalfOpen(),
  'dropped one way: nothing reaches the server': (proxy) =>
    proxy.setFaults({ dropped: { up: true, down: false } }),
  'dropped one way: nothing reaches the client': (proxy) =>
    proxy.setFaults({ dropped: { up: false, down: true } }),
}

describe.concurrent('[S7] a link that went silent, on every transport', () => {
  test.each(Object.entries(silences))(
    '%s: the fault is noticed, and what was typed meanwhile arrives',
    async (_name, silenceLink) => {
      await using server = await RealServer.start()
      const document = await server.createDocument()
      await using network = await FaultyNetwork.startBefore(server)
      await runUnderFaults(
        { server, document, origins: network.origins, maxPauseMs: 500 },
        async (writers) => {
          const proxiedWriters = writers.slice(0, -1)
          await waitForAcknowledgedEdits(writers, 2)
          const linkCounts = proxiedWriters.map(({ window }) => window.stats().links)
          network.forEachProxy(silenceLink)
          const unawareWriters = () =>
            proxiedWriters.filter(
              ({ window }, index) =>
                window.status.get().link.state === 'up' && window.stats().links === linkCounts[index],
            )
          await waitUntil(() => unawareWriters().length === 0, 'everybody to notice')
          // New connections work; nothing waits for what the old ones lost.
          network.forEachProxy((proxy) => proxy.setFaults({ dropped: { up: false, down: false } }))
          await waitForAcknowledgedEdits(writers, 2)
          for (const [index, { window }] of proxiedWriters.entries())
            expect(window.stats().links).toBeGreaterThan(linkCounts[index]!)
        },
      )
    },
    180_000,
  )
})
