import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyClientMessage, anyServerMessage, clientMessages, serverMessages } from './fixtures/messages.ts'
import { MAX_FRAME_BYTES } from './limits.ts'
import type { ClientMessage, Message, ServerMessage } from './message.ts'
import {
  encodeClientMessage,
  encodeServerMessage,
  readClientMessages,
  readServerMessages,
  writeClientMessage,
  writeServerMessage,
} from './message.ts'
import type { Encoder } from './wire.ts'
import { createEncoder, ProtocolError, toBytes } from './wire.ts'

describe.each(Object.entries(clientMessages))('client: %s', (_type, arbitrary) => {
  test('comes back as it went', () => {
    fc.assert(
      fc.property(arbitrary as fc.Arbitrary<ClientMessage>, (message) => {
        expect(readClientMessages(encodeClientMessage(message))).toEqual([message])
      }),
    )
  })
})

describe.each(Object.entries(serverMessages))('server: %s', (_type, arbitrary) => {
  test('comes back as it went', () => {
    fc.assert(
      fc.property(arbitrary as fc.Arbitrary<ServerMessage>, (message) => {
        expect(readServerMessages(encodeServerMessage(message))).toEqual([message])
      }),
    )
  })
})

interface Side<M extends Message> {
  readonly any: fc.Arbitrary<M>
  readonly write: (encoder: Encoder, message: M) => void
  readonly read: (bytes: Uint8Array) => M[]
}

const clientSide: Side<ClientMessage> = {
  any: anyClientMessage,
  write: writeClientMessage,
  read: readClientMessages,
}
const serverSide: Side<ServerMessage> = {
  any: anyServerMessage,
  write: writeServerMessage,
  read: readServerMessages,
}

describe.each([
  ['client', clientSide as Side<Message>],
  ['server', serverSide as Side<Message>],
])('several messages of the %s', (_name, { any, write, read }) => {
  const encodeAll = (messages: readonly Message[]): Uint8Array => {
    const encoder = createEncoder()
    for (const message of messages) write(encoder, message)
    return toBytes(encoder)
  }

  test('messages in a row are read in order', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (messages) => {
        expect(read(encodeAll(messages))).toEqual(messages)
      }),
    )
  })

  test('random bytes decode or are refused as a ProtocolError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => decodesOrRefuses(read, bytes)),
      { numRuns: 2000 },
    )
  })

  test('truncated and flipped bytes of real messages decode or are refused as a ProtocolError', () => {
    const damaged = fc
      .tuple(fc.array(any, { minLength: 1, maxLength: 4 }), fc.nat(), fc.nat(), fc.nat(255))
      .map(([messages, cut, at, flip]) => {
        const bytes = encodeAll(messages)
        const damagedBytes = bytes.slice(0, cut % (bytes.length + 1))
        if (damagedBytes.length > 0) damagedBytes[at % damagedBytes.length]! ^= flip
        return damagedBytes
      })
    fc.assert(
      fc.property(damaged, (bytes) => decodesOrRefuses(read, bytes)),
      { numRuns: 2000 },
    )
  })

  test('no reader looks beyond the frame into the memory around it', () => {
    const inPooledMemory = fc
      .tuple(fc.array(any, { minLength: 1, maxLength: 3 }), fc.nat())
      .map(([messages, cut]) => {
        const bytes = encodeAll(messages)
        return { bytes, end: cut % bytes.length }
      })
    fc.assert(
      fc.property(inPooledMemory, ({ bytes, end }) => {
        // The rest of the message follows the cut directly, where a faulty reader would find it.
        const pool = new Uint8Array(bytes.length + 64).fill(1)
        pool.set(bytes, 7)
        expect(outcomeOf(read, pool.subarray(7, 7 + end))).toEqual(outcomeOf(read, bytes.slice(0, end)))
      }),
      { numRuns: 1000 },
    )
  })
})

test('each side accepts only what the other may send', () => {
  const edit = encodeClientMessage({ type: 'edit', number: 1, channel: 1, update: new Uint8Array(2) })
  expect(() => readServerMessages(edit)).toThrow(ProtocolError)
  const saved = encodeServerMessage({ type: 'saved', number: 1, channel: 1, upTo: 1 })
  expect(() => readClientMessages(saved)).toThrow(ProtocolError)
})

test('a detail too long for the wire is cut, not a message that the other side refuses', () => {
  const reason = { code: 'bad-update', detail: 'ü😀'.repeat(20_000) } as const
  const sent = encodeServerMessage({ type: 'detached', number: 1, channel: 1, reason })
  const [message] = readServerMessages(sent)
  expect(message).toMatchObject({ reason: { code: 'bad-update' } })
  expect((message as { reason: { detail: string } }).reason.detail).toMatch(/^(ü😀)+ü?…$/u)
})

function decodesOrRefuses(read: (bytes: Uint8Array) => readonly Message[], bytes: Uint8Array): void {
  try {
    read(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(ProtocolError)
  }
}

function outcomeOf(read: (bytes: Uint8Array) => readonly Message[], bytes: Uint8Array): unknown {
  try {
    return read(bytes)
  } catch (error) {
    return String(error)
  }
}

test('[A6] a frame holds as many messages as one of ours can; more are refused with the limit named', () => {
  const pings = (count: number) => new Uint8Array(2 * count).fill(7)
  expect(readClientMessages(pings(8 * 1024))).toHaveLength(8 * 1024)
  expect(() => readClientMessages(pings(8 * 1024 + 1))).toThrow(/MAX_MESSAGES/)
})

test('[T6] [A6] what is longer than a frame is one message, since only one is sent in pieces', () => {
  const edit = (bytes: number) =>
    encodeClientMessage({ type: 'edit', number: 1, channel: 1, update: new Uint8Array(bytes) })
  const join = (...messages: Uint8Array[]) => new Uint8Array(Buffer.concat(messages))
  expect(readClientMessages(edit(MAX_FRAME_BYTES))).toHaveLength(1)
  expect(readClientMessages(join(edit(1_000), edit(MAX_FRAME_BYTES - 2_000)))).toHaveLength(2)
  expect(() => readClientMessages(join(edit(1_000), edit(MAX_FRAME_BYTES)))).toThrow(/MAX_FRAME_BYTES/)
})
