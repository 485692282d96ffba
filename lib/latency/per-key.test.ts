import { expect, test } from 'vitest'
import { PerKey } from './per-key.ts'

test('bytes a key are the mean of what went between edits that follow each other closely', () => {
  const perKey = new PerKey()
  expect(perKey.mean()).toBe(undefined)
  perKey.made(0, { up: 1_000, down: 5_000 }, 'websocket')
  expect(perKey.mean()).toBe(undefined)
  perKey.made(100, { up: 1_040, down: 5_020 }, 'websocket')
  perKey.made(300, { up: 1_100, down: 5_060 }, 'websocket')
  expect(perKey.mean()).toEqual({ up: 50, down: 30 })
  perKey.made(9_000, { up: 90_000, down: 90_000 }, 'websocket') // a pause: pings and others' edits
  expect(perKey.mean()).toEqual({ up: 50, down: 30 })
  perKey.reset()
  expect(perKey.mean()).toBe(undefined)
})

test('another link has costs of its own, and without one nothing goes', () => {
  const perKey = new PerKey()
  perKey.made(0, { up: 0, down: 0 }, 'websocket')
  perKey.made(100, { up: 40, down: 20 }, 'websocket')
  expect([perKey.mean(), perKey.mean('poll')]).toEqual([{ up: 40, down: 20 }, undefined])
  perKey.made(200, { up: 940, down: 2_020 }, 'poll') // the greeting of the new link among them
  expect(perKey.mean()).toBe(undefined)
  perKey.made(300, { up: 1_000, down: 2_040 }, 'poll')
  expect(perKey.mean()).toEqual({ up: 60, down: 20 })
  perKey.made(400, { up: 1_000, down: 2_040 }, undefined)
  perKey.made(500, { up: 1_000, down: 2_040 }, undefined)
  expect(perKey.mean()).toBe(undefined)
})
