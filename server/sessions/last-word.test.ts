import { expect, test } from 'vitest'
import { LastWord } from './last-word.ts'

test('[S2] what stays unconfirmed behind a pong is said again, and asked for anew after that', () => {
  const word = new LastWord()
  expect([word.check(undefined), word.check(5), word.check(5)]).toEqual(['fine', 'fine', 'ask'])
  word.asked(1)
  expect(word.check(5)).toBe('fine')
  word.pong(1)
  expect([word.check(5), word.check(5)]).toEqual(['repeat', 'ask'])
})

test('[S2] a slow link is not doubted: its pong is still on its way, or the confirmations go on', () => {
  const word = new LastWord()
  word.check(5)
  word.asked(1)
  word.pong(2)
  expect([word.check(5), word.check(6), word.check(7), word.check(undefined)]).toEqual(Array(4).fill('fine'))
})

test('[S2] a new link starts afresh', () => {
  const word = new LastWord()
  word.check(5)
  word.asked(1)
  word.pong(1)
  word.restart()
  expect(word.check(5)).toBe('fine')
})
