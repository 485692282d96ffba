import { expect, test } from 'vitest'
import { BytesPerKey } from './bytes-per-key.ts'

test('bytes per key are the mean of what was sent between edits that follow each other closely', () => {
  const bytesPerKey = new BytesPerKey()
  expect(bytesPerKey.mean()).toBe(undefined)
  bytesPerKey.recordEdit(0, { up: 1_000, down: 5_000 }, 'websocket')
  expect(bytesPerKey.mean()).toBe(undefined)
  bytesPerKey.recordEdit(100, { up: 1_040, down: 5_020 }, 'websocket')
  bytesPerKey.recordEdit(300, { up: 1_100, down: 5_060 }, 'websocket')
  expect(bytesPerKey.mean()).toEqual({ up: 50, down: 30 })
  bytesPerKey.recordEdit(9_000, { up: 90_000, down: 90_000 }, 'websocket') // a pause: pings and others' edits
  expect(bytesPerKey.mean()).toEqual({ up: 50, down: 30 })
  bytesPerKey.reset()
  expect(bytesPerKey.mean()).toBe(undefined)
})

test('another link has costs of its own, and without one nothing is sent', () => {
  const bytesPerKey = new BytesPerKey()
  bytesPerKey.recordEdit(0, { up: 0, down: 0 }, 'websocket')
  bytesPerKey.recordEdit(100, { up: 40, down: 20 }, 'websocket')
  expect([bytesPerKey.mean(), bytesPerKey.mean('poll')]).toEqual([{ up: 40, down: 20 }, undefined])
  bytesPerKey.recordEdit(200, { up: 940, down: 2_020 }, 'poll') // the bytes include the hello of the new link
  expect(bytesPerKey.mean()).toBe(undefined)
  bytesPerKey.recordEdit(300, { up: 1_000, down: 2_040 }, 'poll')
  expect(bytesPerKey.mean()).toEqual({ up: 60, down: 20 })
  bytesPerKey.recordEdit(400, { up: 1_000, down: 2_040 }, undefined)
  bytesPerKey.recordEdit(500, { up: 1_000, down: 2_040 }, undefined)
  expect(bytesPerKey.mean()).toBe(undefined)
})
