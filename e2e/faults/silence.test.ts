import { describe, expect, test } from 'vitest'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { comesToHold } from '../chaos/rest.ts'
import type { FaultProxy } from '../support/fault-proxy.ts'
import { endure, everybodyGetsOn, FaultyNetwork } from './stage.ts'

/** Nothing closes; only what is no longer heard can tell. */
const silences: Record<string, (proxy: FaultProxy) => void> = {
  'half-open: neither way': (proxy) => proxy.halfOpen(),
  'dropped one way: nothing reaches the server': (proxy) => proxy.set({ dropped: { up: true, down: false } }),
  'dropped one way: nothing reaches the client': (proxy) => proxy.set({ dropped: { up: false, down: true } }),
}

describe.concurrent('[S7] a link that went silent, on every transport', () => {
  test.each(Object.entries(silences))(
    '%s: it is noticed, and what was typed meanwhile arrives',
    async (_name, silence) => {
      await using server = await RealServer.start()
      const document = await server.newDocument()
      await using network = await FaultyNetwork.before(server)
      await endure({ server, document, origins: network.origins, thinkingMs: 500 }, async (writers) => {
        const through = writers.slice(0, -1)
        await everybodyGetsOn(writers, 2)
        const links = through.map(({ window }) => window.stats().links)
        network.each(silence)
        const unaware = () =>
          through.filter(
            ({ window }, index) =>
              window.status.get().link.state === 'up' && window.stats().links === links[index],
          )
        await comesToHold('everybody to notice', () => unaware().length === 0)
        // New connections are good: what the silence swallowed is not waited for.
        network.each((proxy) => proxy.set({ dropped: { up: false, down: false } }))
        await everybodyGetsOn(writers, 2)
        for (const [index, { window }] of through.entries())
          expect(window.stats().links).toBeGreaterThan(links[index]!)
      })
    },
    180_000,
  )
})
