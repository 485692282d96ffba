import { describe, expect, test } from 'vitest'
import { pause } from '../chaos/writers.ts'
import { RealServer } from '../../server/fixtures/real-server.ts'
import type { Faults } from '../support/fault-proxy.ts'
import { endure, everybodyGetsOn, FaultyNetwork } from './stage.ts'

/** A person's pace: what several write at once must fit through the narrowest of these. */
const THINKING_MS = 800

const slow: Record<string, { readonly faults: Partial<Faults>; readonly edits: number }> = {
  'delay of 50 ms with jitter': { faults: { delayMs: 50, jitterMs: 25 }, edits: 5 },
  'delay of 300 ms with jitter': { faults: { delayMs: 300, jitterMs: 150 }, edits: 4 },
  'delay of 1000 ms with jitter': { faults: { delayMs: 1000, jitterMs: 500 }, edits: 2 },
  '8 KB/s': { faults: { bytesPerSecond: 8 * 1024 }, edits: 4 },
  'slices of one byte': { faults: { sliceBytes: 1 }, edits: 4 },
}

describe.concurrent('slow from the first byte on, on every transport', () => {
  test.each(Object.entries(slow))(
    '%s: all get on and come to the same text',
    async (_name, { faults, edits }) => {
      await using server = await RealServer.start()
      const document = await server.newDocument()
      await using network = await FaultyNetwork.before(server)
      network.each((proxy) => proxy.set(faults))
      await endure({ server, document, origins: network.origins, thinkingMs: THINKING_MS }, (writers) =>
        everybodyGetsOn(writers, edits),
      )
    },
    120_000,
  )
})

test('cuts at random, on every transport: all come back and nothing is lost', async () => {
  await using server = await RealServer.start()
  const document = await server.newDocument()
  await using network = await FaultyNetwork.before(server)
  await endure({ server, document, origins: network.origins, thinkingMs: 100 }, async (writers) => {
    for (let cut = 0; cut < 4; cut++) {
      await everybodyGetsOn(writers, 2)
      await pause(Math.random() * 100)
      network.each((proxy) => proxy.cut())
    }
    // Between two polls there may be nothing to cut.
    const cut = writers.slice(0, -1).filter(({ window }) => window.status.get().choice !== 'poll')
    for (const { window } of cut) expect(window.stats().links).toBeGreaterThan(2)
  })
}, 120_000)
