import { describe, test } from 'vitest'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { randomOf } from '../chaos/random.ts'
import { networkTransports } from '../chaos/ways.ts'
import type { HttpFaults, PieceFate, PostFate } from '../support/http-faults.ts'
import { HttpProxy, type Speaks } from '../support/http-proxy.ts'
import { endure, everybodyGetsOn } from './stage.ts'

const SEED = 11
/** Of a hundred. */
const POSTS_HIT = 8
const PIECES_HIT = 3

const ways = networkTransports
  .filter((transport) => transport !== 'websocket')
  .map((transport) => ({ transport, scheme: 'http' as const }))

/** By seed, and only when it is switched on. */
function chance<Fate>(fate: Fate, percent: number) {
  const random = randomOf(SEED, String(fate))
  return (): Fate | 'passes' => (random.between(1, 100) <= percent ? fate : 'passes')
}

async function through(speaks: Speaks, faults: Partial<HttpFaults>, what: string): Promise<void> {
  await using server = await RealServer.start()
  const document = await server.newDocument()
  await using proxy = await HttpProxy.listen(speaks)
  proxy.targetPort = Number(new URL(server.origin('http')).port)
  const { holdBodies = false } = faults
  proxy.set({ holdBodies })
  const origins = { http: proxy.origin, https: proxy.origin }
  const met = (): number => proxy.met.get(what) ?? 0
  await endure({ server, document, origins, ways, thinkingMs: 100 }, async (writers) => {
    proxy.set(faults)
    do await everybodyGetsOn(writers, 3)
    while (met() < 3 * ways.length)
    proxy.heal()
    proxy.set({ holdBodies })
    // Whatever was lost last has a successor to show it.
    await everybodyGetsOn(writers, 2)
  })
}

describe.concurrent('POSTs on their way up, on every HTTP transport', () => {
  const fates: readonly PostFate[] = ['answer lost', 'repeated', 'late', 'dropped']

  test.each(fates)(
    '[S1] %s: each edit has its effect exactly once',
    (fate) =>
      // Streamed bodies are held back, so that all goes by POSTs.
      through('http', { holdBodies: true, fateOfPost: chance(fate, POSTS_HIT) }, fate),
    120_000,
  )
})

describe.concurrent('data on its way down, on every HTTP transport', () => {
  const fates: readonly PieceFate[] = ['repeated', 'swapped', 'dropped']

  test.each(fates)(
    '[S2] %s: it is noticed, and nothing is pending for good',
    (fate) => through('h2', { fateOfPiece: chance(fate, PIECES_HIT) }, `data ${fate}`),
    120_000,
  )
})
