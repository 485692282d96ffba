import { expect, test } from 'vitest'
import { attackWithHostileUpdates } from './hostile-updates.ts'
import { everyRoute } from '../fixtures/transport-routes.ts'

test('[A6] hostile updates over each transport: the server survives, and every honest replica equals the store', async () => {
  const { sent, taken, waited } = await attackWithHostileUpdates({
    seed: 1,
    updates: 40 * everyRoute.length,
    updatesPerDocument: 40,
  })
  expect(sent).toBeGreaterThan(100)
  expect(taken).toBeGreaterThan(10)
  expect(waited.length).toBeGreaterThan(0)
}, 240_000)
