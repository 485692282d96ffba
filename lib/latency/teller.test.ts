import { expect, test } from 'vitest'
import { Teller } from './teller.ts'

test('listeners hear where something changed, and draw what they were told of', () => {
  let value = 0
  let told = 0
  const teller = new Teller({ read: () => ({ value }), version: () => String(value) })
  const end = teller.subscribe(() => (told += 1))
  expect(teller.get()).toEqual({ value: 0 })
  teller.tell()
  expect(told).toBe(0)
  value = 1
  expect(teller.get()).toEqual({ value: 0 })
  teller.tell()
  const state = teller.get()
  expect(state).toEqual({ value: 1 })
  teller.tell()
  expect([told, teller.get()]).toEqual([1, state])
  end()
  value = 2
  teller.tell()
  expect([told, teller.get()]).toEqual([1, { value: 2 }])
  expect(teller.get()).toBe(teller.get())
})
