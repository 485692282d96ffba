import { expect, test } from 'vitest'
import { MESSAGE_COST_BYTES, WaitingItems } from './waiting-items.ts'

const MiB = 1024 * 1024

test('items wait in order, and are taken once', () => {
  const waiting = new WaitingItems<string>()
  waiting.add('one', 3)
  waiting.add('two', 3)
  expect([waiting.takeAll(), waiting.takeAll(), waiting.bytes]).toEqual([['one', 'two'], [], 0])
})

test('the limit is 4 MiB, what each item costs besides its bytes included', () => {
  const waiting = new WaitingItems<string>()
  waiting.add('large', 4 * MiB - MESSAGE_COST_BYTES)
  expect([waiting.bytes, waiting.isOverLimit]).toEqual([4 * MiB, false])
  waiting.add('empty', 0)
  expect([waiting.bytes, waiting.isOverLimit]).toEqual([4 * MiB + MESSAGE_COST_BYTES, true])
  waiting.takeAll()
  expect(waiting.isOverLimit).toBe(false)
})
