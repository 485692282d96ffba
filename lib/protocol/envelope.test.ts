import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FrameJoiner, MAX_SESSION, packFrames, type Parcel } from './envelope.ts'
import { anyClientMessage } from './fixtures/messages.ts'
import { MAX_FRAME_BYTES, MAX_MESSAGE_BYTES } from './limits.ts'
import { encodeClientMessage, readClientMessages } from './message.ts'
import { ProtocolError } from './wire.ts'

const session = fc.oneof(fc.nat(200), fc.nat(MAX_SESSION), fc.constant(MAX_SESSION))

const length = fc.oneof(
  { weight: 12, arbitrary: fc.nat(300) },
  { weight: 2, arbitrary: fc.nat(400_000) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: -8, max: 8 }).map((near) => MAX_FRAME_BYTES + near),
  },
  { weight: 1, arbitrary: fc.constantFrom(0, 2 * MAX_FRAME_BYTES, 3_000_000) },
)
const message = fc.tuple(length, fc.nat(255)).map(([size, seed]) => patterned(size, seed))

describe('[T6] messages of any size pass in frames of at most MAX_FRAME_BYTES', () => {
  test('joined again they are the same bytes, in order, of the same session', () => {
    fc.assert(
      fc.property(session, fc.array(message, { minLength: 1, maxLength: 8 }), (number, messages) => {
        const frames = packFrames(number, messages)
        expect(Math.max(...frames.map(({ length }) => length))).toBeLessThanOrEqual(MAX_FRAME_BYTES)
        const parcels = join(frames)
        expect(parcels.every((parcel) => parcel.session === number)).toBe(true)
        expectSame(Buffer.concat(parcels.map(({ body }) => body)), Buffer.concat(messages))
      }),
      { numRuns: 40 },
    )
  })

  test('each parcel holds whole messages', () => {
    const messages = fc.array(anyClientMessage, { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(session, messages, (number, sent) => {
        const frames = packFrames(number, sent.map(encodeClientMessage))
        expect(join(frames).flatMap(({ body }) => readClientMessages(body))).toEqual(sent)
      }),
      { numRuns: 60 },
    )
  })

  test('small messages share one frame', () => {
    expect(
      packFrames(
        3,
        Array.from({ length: 1000 }, () => new Uint8Array(50)),
      ),
    ).toHaveLength(1)
  })

  test('pieces of several sessions of one link may come in turns', () => {
    const one = packFrames(1, [patterned(600_000, 1)])
    const two = packFrames(2, [patterned(700_000, 2)])
    const turns = one.flatMap((frame, index) => [frame, two[index]!])
    const parcels = join(turns)
    expect(parcels.map((parcel) => parcel.session)).toEqual([1, 2])
    expectSame(parcels[0]!.body, patterned(600_000, 1))
    expectSame(parcels[1]!.body, patterned(700_000, 2))
  })
})

describe('[A6] what a link may leave waiting is limited', () => {
  test('a message at the limit passes, one byte more is refused with the limit named', () => {
    expect(join(packFrames(0, [new Uint8Array(MAX_MESSAGE_BYTES)]))[0]!.body).toHaveLength(MAX_MESSAGE_BYTES)
    const over = packFrames(0, [new Uint8Array(MAX_MESSAGE_BYTES + 1)])
    expect(() => join(over)).toThrow(/over 33554432 bytes \(MAX_MESSAGE_BYTES\)/)
  })

  test('the limit holds for all sessions of the link together', () => {
    const joiner = new FrameJoiner(1000)
    const piece = (number: number) => Uint8Array.of(number * 2 + 1, ...patterned(400, number))
    joiner.push(piece(1))
    joiner.push(piece(2))
    expect(() => joiner.push(piece(3))).toThrow(ProtocolError)
  })

  test('what was joined counts no more', () => {
    const joiner = new FrameJoiner(1000)
    for (let round = 0; round < 20; round++) {
      joiner.push(Uint8Array.of(3, ...patterned(400, 1)))
      expect(joiner.push(Uint8Array.of(2, ...patterned(400, 1)))?.body).toHaveLength(800)
    }
  })

  test('a message in crumbs is refused: each piece costs more memory than it brings', () => {
    const joiner = new FrameJoiner()
    const crumb = Uint8Array.of(3, 0x41)
    expect(() => {
      for (let count = 0; count < 100_000; count++) joiner.push(crumb)
    }).toThrow(/pieces/)
    expect(() => {
      for (let number = 0; number < 100_000; number++) {
        for (const frame of packFrames(number, [new Uint8Array(0)])) joiner.push(withMore(frame))
      }
    }).toThrow(ProtocolError)
  })
})

test('random bytes are a parcel, a piece, or refused as a ProtocolError', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 10 }), (frames) => {
      const joiner = new FrameJoiner()
      try {
        for (const frame of frames) joiner.push(frame)
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError)
      }
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['nothing', []],
  ['half a number', [0x80]],
  ['a session over the limit', [0xff, 0xff, 0xff, 0xff, 0x7f]],
])('a head of %s is refused', (_what, bytes) => {
  expect(() => new FrameJoiner().push(Uint8Array.from(bytes))).toThrow(ProtocolError)
})

test('a head is not read from the memory behind the frame', () => {
  const pool = Uint8Array.of(0x82, 0x01, 0x41)
  expect(() => new FrameJoiner().push(pool.subarray(0, 1))).toThrow(ProtocolError)
})

function join(frames: readonly Uint8Array[]): Parcel[] {
  const joiner = new FrameJoiner()
  return frames.flatMap((frame) => joiner.push(frame) ?? [])
}

function withMore(frame: Uint8Array): Uint8Array {
  const copy = frame.slice()
  copy[0]! |= 1
  return copy
}

function patterned(size: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let index = 0; index < size; index++) bytes[index] = index * 31 + seed * 7
  return bytes
}

/** toEqual takes seconds on large arrays. */
const expectSame = (left: Uint8Array, right: Uint8Array): void => expect(Buffer.compare(left, right)).toBe(0)
