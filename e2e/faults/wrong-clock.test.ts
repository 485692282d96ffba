import { expect, test } from 'vitest'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { runUnderFaults, waitForAcknowledgedEdits } from './fixtures/fault-scenario.ts'

const HOUR_MS = 60 * 60 * 1000

/** The server is a process with its own clock, so that all clients' clocks are wrong for it. */
test.each([
  ['slow', HOUR_MS],
  ['fast', -HOUR_MS],
])(
  'a client’s clock wrong by an hour (%s), on every transport: text, acknowledgement and presence work as usual',
  async (_name, clockErrorMs) => {
    await using server = await KillableServer.start({
      environment: { CLOCK_WRONG_BY_MS: String(clockErrorMs) },
      preloaded: [import.meta.resolve('./fixtures/wrong-clock.ts')],
    })
    expect(Math.abs((await serverTimeOf(server)) - Date.now() - clockErrorMs)).toBeLessThan(HOUR_MS / 2)
    const document = await createSharedDocument(server.origin('http'))
    await runUnderFaults({ server, document, origins: server.origins, maxPauseMs: 100 }, async (writers) => {
      for (const { name, window } of writers) window.awareness.setLocalState({ name })
      await waitForAcknowledgedEdits(writers, 5)
      await waitUntil(
        () => writers.every(({ window }) => window.awareness.getStates().size === writers.length),
        'everybody to see everybody',
      )
    })
  },
  60_000,
)

/** Returns the server's time, which it writes into a new document. */
async function serverTimeOf(server: KillableServer): Promise<number> {
  const headers = { 'content-type': 'application/json', origin: server.origin('http') }
  const response = await fetch(`${server.origin('http')}/api/documents`, {
    method: 'POST',
    headers,
    body: '{}',
  })
  return Date.parse(((await response.json()) as { updatedAt: string }).updatedAt)
}
