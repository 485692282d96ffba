import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { RealServer } from '../../server/fixtures/real-server.ts'
import type { NetworkFaults } from '../fixtures/fault-proxy.ts'
import { runUnderFaults, waitForAcknowledgedEdits } from './fixtures/fault-scenario.ts'
import { FaultyNetwork } from '../fixtures/faulty-network.ts'

/** A person's speed: what several write at once must fit through the slowest of these networks. */
const MAX_PAUSE_MS = 800

const slowNetworks: Record<string, { readonly faults: Partial<NetworkFaults>; readonly edits: number }> = {
  'delay of 50 ms with jitter': { faults: { delayMs: 50, jitterMs: 25 }, edits: 5 },
  'delay of 300 ms with jitter': { faults: { delayMs: 300, jitterMs: 150 }, edits: 4 },
  'delay of 1000 ms with jitter': { faults: { delayMs: 1000, jitterMs: 500 }, edits: 2 },
  '8 KB/s': { faults: { bytesPerSecond: 8 * 1024 }, edits: 4 },
  'slices of one byte': { faults: { sliceBytes: 1 }, edits: 4 },
}

describe.concurrent('a network slow from the first byte on, on every transport', () => {
  test.each(Object.entries(slowNetworks))(
    '%s: all make progress and converge to the same text',
    async (_name, { faults, edits }) => {
      await using server = await RealServer.start()
      const document = await server.createDocument()
      await using network = await FaultyNetwork.startBefore(server)
      network.forEachProxy((proxy) => proxy.setFaults(faults))
      await runUnderFaults(
        { server, document, origins: network.origins, maxPauseMs: MAX_PAUSE_MS },
        (writers) => waitForAcknowledgedEdits(writers, edits),
      )
    },
    120_000,
  )
})

test('random cuts, on every transport: all reconnect and nothing is lost', async () => {
  await using server = await RealServer.start()
  const document = await server.createDocument()
  await using network = await FaultyNetwork.startBefore(server)
  await runUnderFaults({ server, document, origins: network.origins, maxPauseMs: 100 }, async (writers) => {
    for (let cut = 0; cut < 4; cut++) {
      await waitForAcknowledgedEdits(writers, 2)
      await sleep(Math.random() * 100)
      network.forEachProxy((proxy) => proxy.cutConnections())
    }
    // Between two polls there may be no connection to cut.
    const cut = writers.slice(0, -1).filter(({ window }) => window.status.get().choice !== 'poll')
    for (const { window } of cut) expect(window.stats().links).toBeGreaterThan(2)
  })
}, 120_000)
