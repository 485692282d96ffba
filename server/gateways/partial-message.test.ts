import { expect, test } from 'vitest'
import { PartialMessage } from './partial-message.ts'
import { MESSAGE_COST_BYTES } from './waiting-items.ts'

const HEADER_BYTES = 6

test('each piece costs its bytes and a little more, until the message is whole', () => {
  const message = new PartialMessage()
  message.addPiece(1_000)
  message.addPiece(0)
  expect(message.bytes).toBe(1_000 + 2 * MESSAGE_COST_BYTES)
  message.end()
  expect(message.bytes).toBe(0)
})

test('a ping between two pieces costs nothing', () => {
  const message = new PartialMessage()
  message.addPiece(1_000)
  const before = message.bytes
  message.addPiece(HEADER_BYTES + 5)
  message.subtractControl(5)
  expect(message.bytes).toBe(before)
})

test('two pings in one piece take its cost back once', () => {
  const message = new PartialMessage()
  message.addPiece(1_000)
  const before = message.bytes
  message.addPiece(2 * HEADER_BYTES)
  message.subtractControl(0)
  message.subtractControl(0)
  expect(message.bytes).toBe(before)
})

test('a ping in the last piece of a whole message leaves no debt', () => {
  const message = new PartialMessage()
  message.addPiece(1_000)
  message.end()
  message.subtractControl(5)
  expect(message.bytes).toBe(0)
  message.addPiece(10)
  expect(message.bytes).toBe(10 + MESSAGE_COST_BYTES)
})
