import { describe, test } from 'vitest'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { testedTransports } from '../fixtures/transport-routes.ts'
import type { HttpFaults, PieceOutcome, PostOutcome } from '../fixtures/http-faults.ts'
import { HttpProxy, type ProxyProtocol } from '../fixtures/http-proxy.ts'
import { runUnderFaults, waitForAcknowledgedEdits } from './fixtures/fault-scenario.ts'

const SEED = 11
const POST_FAULT_PERCENT = 8
const PIECE_FAULT_PERCENT = 3

const routes = testedTransports
  .filter((transport) => transport !== 'websocket')
  .map((transport) => ({ transport, scheme: 'http' as const }))

/** Returns a function that chooses between the outcome and "passes", at random by seed. */
function chooseByChance<Outcome>(outcome: Outcome, percent: number) {
  const random = createSeededRandom(SEED, String(outcome))
  return (): Outcome | 'passes' => (random.between(1, 100) <= percent ? outcome : 'passes')
}

async function runThroughProxy(
  protocol: ProxyProtocol,
  faults: Partial<HttpFaults>,
  fault: string,
): Promise<void> {
  await using server = await RealServer.start()
  const document = await server.createDocument()
  await using proxy = await HttpProxy.startBefore(server, protocol)
  const { bufferBodies = false } = faults
  proxy.setFaults({ bufferBodies })
  const origins = { http: proxy.origin, https: proxy.origin }
  const faultCount = (): number => proxy.faultCounts.get(fault) ?? 0
  await runUnderFaults({ server, document, origins, routes, maxPauseMs: 100 }, async (writers) => {
    proxy.setFaults(faults)
    do await waitForAcknowledgedEdits(writers, 3)
    while (faultCount() < 3 * routes.length)
    proxy.heal()
    proxy.setFaults({ bufferBodies })
    // Something must follow the last loss, to reveal it.
    await waitForAcknowledgedEdits(writers, 2)
  })
}

describe.concurrent('POSTs on their way up, on every HTTP transport', () => {
  const outcomes: readonly PostOutcome[] = ['answer lost', 'repeated', 'late', 'dropped']

  test.each(outcomes)(
    '[S1] %s: each edit has its effect exactly once',
    (outcome) =>
      // Streamed bodies are buffered, so that everything goes by single POSTs.
      runThroughProxy(
        'http',
        { bufferBodies: true, choosePostOutcome: chooseByChance(outcome, POST_FAULT_PERCENT) },
        outcome,
      ),
    120_000,
  )
})

describe.concurrent('data on its way down, on every HTTP transport', () => {
  const outcomes: readonly PieceOutcome[] = ['repeated', 'swapped', 'dropped']

  test.each(outcomes)(
    '[S2] %s: the fault is noticed, and nothing stays pending',
    (outcome) =>
      runThroughProxy(
        'h2',
        { choosePieceOutcome: chooseByChance(outcome, PIECE_FAULT_PERCENT) },
        `data ${outcome}`,
      ),
    120_000,
  )
})
