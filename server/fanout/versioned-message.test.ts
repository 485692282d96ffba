import { expect, test } from 'vitest'
import { ProtocolError, readString, writeString } from '../../lib/protocol/wire.ts'
import { readVersionedMessage, writeVersionedMessage } from './versioned-message.ts'

const message = writeVersionedMessage(2, (encoder) => writeString(encoder, 'hello'))

test('a message is read by its own version, and passed over by every other', () => {
  expect(message[0]).toBe(2)
  expect([1, 2, 3].map((version) => readVersionedMessage(version, message, readString))).toEqual([
    null,
    'hello',
    null,
  ])
})

test('a message cut short, before its version or after it, is an error', () => {
  for (const cut of [message.subarray(0, 0), message.subarray(0, -1)])
    expect(() => readVersionedMessage(2, cut, readString)).toThrow(ProtocolError)
})
