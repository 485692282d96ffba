import { expect, test } from 'vitest'
import { attackServer } from './hostile.ts'
import { everyWay } from './ways.ts'

test('[A6] hostile updates over each transport: the server lives, and every honest replica equals the store', async () => {
  const { sent, taken, waited } = await attackServer({
    seed: 1,
    updates: 40 * everyWay.length,
    storyUpdates: 40,
  })
  expect(sent).toBeGreaterThan(100)
  expect(taken).toBeGreaterThan(10)
  expect(waited.length).toBeGreaterThan(0)
}, 240_000)
