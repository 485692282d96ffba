import { expect, test } from 'vitest'
import { makeDocument } from '../../server/fixtures/real-server.ts'
import { comesToHold } from '../chaos/rest.ts'
import { MortalServer } from '../support/mortal-server.ts'
import { endure, everybodyGetsOn } from './stage.ts'

const HOUR_MS = 60 * 60 * 1000

/** The server is a process with a clock of its own: to it, all clients are wrong. */
test.each([
  ['slow', HOUR_MS],
  ['fast', -HOUR_MS],
])(
  'clock of a client wrong by an hour (%s), on every transport: text, acknowledgement and presence are as ever',
  async (_name, serverWrongByMs) => {
    const environment = {
      NODE_OPTIONS: `--import ${import.meta.resolve('../support/wrong-clock.ts')}`,
      CLOCK_WRONG_BY_MS: String(serverWrongByMs),
    }
    await using server = await MortalServer.start({ environment })
    expect(Math.abs((await clockOf(server)) - Date.now() - serverWrongByMs)).toBeLessThan(HOUR_MS / 2)
    const document = await makeDocument(server.origin('http'))
    await endure({ server, document, origins: server.origins, thinkingMs: 100 }, async (writers) => {
      for (const { name, window } of writers) window.awareness.setLocalState({ name })
      await everybodyGetsOn(writers, 5)
      await comesToHold('everybody to see everybody', () =>
        writers.every(({ window }) => window.awareness.getStates().size === writers.length),
      )
    })
  },
  60_000,
)

/** As it stamps a new document. */
async function clockOf(server: MortalServer): Promise<number> {
  const headers = { 'content-type': 'application/json', origin: server.origin('http') }
  const answer = await fetch(`${server.origin('http')}/api/documents`, {
    method: 'POST',
    headers,
    body: '{}',
  })
  return Date.parse(((await answer.json()) as { updatedAt: string }).updatedAt)
}
