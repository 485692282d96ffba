import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEncoder, ProtocolError, toBytes, writeNumber, writeString } from '../../lib/protocol/wire.ts'
import { readRoomMessage, type RoomMessage, writeRoomMessage } from './room-messages.ts'

const number = fc.maxSafeNat()
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => new Uint8Array(array))
const member = fc.record({
  key: number,
  principal: fc.string({ unit: 'grapheme' }),
  isByLink: fc.boolean(),
  isStock: fc.boolean(),
})
const presence = fc.record({ member, update: bytes })

/** Arbitrary messages of each type: a new one does not compile until it is here. */
const messagesOf: { readonly [Type in RoomMessage['type']]: fc.Arbitrary<RoomMessage> } = {
  edits: fc.record({
    type: fc.constant('edits'),
    sentAt: number,
    first: number,
    updates: fc.array(bytes),
    owners: fc.array(fc.tuple(number, fc.string())).map((entries) => new Map(entries)),
  }),
  head: fc.record({ type: fc.constant('head'), sequence: number }),
  compacted: fc.record({ type: fc.constant('compacted'), sequence: number }),
  presence: presence.map((one) => ({ type: 'presence', ...one })),
  left: fc.record({ type: fc.constant('left'), key: number }),
  hello: fc.constant({ type: 'hello' }),
  present: fc.record({ type: fc.constant('present'), members: fc.array(presence) }),
  'present keys': fc.record({ type: fc.constant('present keys'), keys: fc.array(number) }),
  trace: fc.record({ type: fc.constant('trace'), from: number, to: number, bytes }),
  'reservations asked': fc.constant({ type: 'reservations asked' }),
  reservations: fc.record({
    type: fc.constant('reservations'),
    version: number,
    isWhole: fc.boolean(),
    reserved: fc.array(
      fc.record({
        client: number,
        principal: fc.string(),
        window: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
        hasMore: fc.boolean(),
      }),
    ),
    released: fc.array(number),
  }),
}
const anyMessage = fc.oneof(...Object.values(messagesOf))

describe('[D10] a message between rooms of several nodes', () => {
  test.each(Object.entries(messagesOf))('%s: what is written is read', (_type, messages) => {
    fc.assert(
      fc.property(fc.string(), messages, (node, message) => {
        expect(readRoomMessage(writeRoomMessage(node, message))).toEqual({ node, message })
      }),
    )
  })

  test('outlives the bytes that it was read from', () => {
    const update = Uint8Array.of(1, 2, 3)
    const received = Buffer.from(
      writeRoomMessage('a', { type: 'edits', sentAt: 0, first: 1, updates: [update], owners: new Map() }),
    )
    const read = readRoomMessage(received)
    received.fill(0)
    expect(read?.message).toMatchObject({ updates: [update] })
  })

  test('of another version, or of a type that this one does not know, is passed over', () => {
    const write = (version: number, type: number): Uint8Array => {
      const encoder = createEncoder()
      writeNumber(encoder, version)
      writeString(encoder, 'a')
      writeNumber(encoder, type)
      return toBytes(encoder)
    }
    const { type } = readRoomMessage(write(1, 5))!.message
    expect([type, readRoomMessage(write(2, 5)), readRoomMessage(write(1, 99))]).toEqual(['hello', null, null])
  })

  test('that has more in it than this version knows is read', () => {
    const longer = Buffer.concat([writeRoomMessage('a', { type: 'head', sequence: 7 }), Buffer.from('more')])
    expect(readRoomMessage(longer)?.message).toEqual({ type: 'head', sequence: 7 })
  })

  test('cut short anywhere, or rubbish: an error that says so, or no message, and never anything else', () => {
    const read = (rubbish: Uint8Array): unknown => {
      try {
        return readRoomMessage(rubbish)
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError)
        return null
      }
    }
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), anyMessage, fc.nat(), (node, message, cut) => {
        const whole = writeRoomMessage(node, message)
        expect(read(whole.subarray(0, cut % whole.length))).toBeNull()
      }),
    )
    fc.assert(
      fc.property(bytes, (rubbish) => {
        read(rubbish)
        read(Uint8Array.of(1, 0, ...rubbish))
      }),
    )
  })
})
