import { expect, test } from 'vitest'
import { PerKey } from './per-key.ts'

test('bytes a key are the mean of what went between edits that follow each other closely', () => {
  const perKey = new PerKey()
  expect(perKey.mean).toBe(undefined)
  perKey.made(0, { up: 1_000, down: 5_000 })
  expect(perKey.mean).toBe(undefined)
  perKey.made(100, { up: 1_040, down: 5_020 })
  perKey.made(300, { up: 1_100, down: 5_060 })
  expect(perKey.mean).toEqual({ up: 50, down: 30 })
  perKey.made(9_000, { up: 90_000, down: 90_000 }) // a pause: pings and others' edits
  expect(perKey.mean).toEqual({ up: 50, down: 30 })
  perKey.reset()
  expect(perKey.mean).toBe(undefined)
})
