import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FrameJoiner, packFrames, PendingPieces } from './framing.ts'
import { anyClientMessage } from './fixtures/messages.ts'
import { MAX_FRAME_BYTES, MAX_MESSAGE_BYTES } from './limits.ts'
import { encodeClientMessage, readClientMessages } from './message.ts'
import { MAX_SUB_LINK, readFrameHead, renumberFrame } from './multiplexed-frame.ts'
import { ProtocolError } from './wire.ts'
import { settle } from '../fixtures/wait.ts'

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
  test('joined messages are the same bytes, in order', () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 8 }), (messages) => {
        const frames = packFrames(messages)
        expect(Math.max(...frames.map(({ length }) => length))).toBeLessThanOrEqual(MAX_FRAME_BYTES)
        expectSame(Buffer.concat(join(frames)), Buffer.concat(messages))
      }),
      { numRuns: 40 },
    )
  })

  test('each run of frames holds whole messages', () => {
    const messages = fc.array(anyClientMessage, { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(messages, (sent) => {
        const frames = packFrames(sent.map(encodeClientMessage))
        expect(join(frames).flatMap(readClientMessages)).toEqual(sent)
      }),
      { numRuns: 60 },
    )
  })

  test('small messages share one frame', () => {
    expect(packFrames(Array.from({ length: 100 }, () => new Uint8Array(50)))).toHaveLength(1)
  })

  test('[S7] no frame takes longer than 8.2 s at 1 KB/s: each arriving frame is a sign of life', () => {
    const messages = [patterned(600_000, 1), ...Array.from({ length: 400 }, () => patterned(300, 2))]
    const frames = packFrames(messages)
    expect(Math.max(...frames.map(({ length }) => length))).toBeLessThanOrEqual(8192)
    expect(frames.length).toBeLessThan(95)
  })

  test('with the highest number of a sub-link, a frame is no larger than the limit', () => {
    for (const frame of packFrames([patterned(600_000, 1)]))
      expect(renumberFrame(frame, readFrameHead(frame), MAX_SUB_LINK).length).toBeLessThanOrEqual(
        MAX_FRAME_BYTES,
      )
  })
})

describe('[A6] the pieces that wait on a link are limited', () => {
  test('a message at the limit passes, one byte more is refused with the limit named', () => {
    expect(join(packFrames([new Uint8Array(MAX_MESSAGE_BYTES)]))[0]).toHaveLength(MAX_MESSAGE_BYTES)
    const over = packFrames([new Uint8Array(MAX_MESSAGE_BYTES + 1)])
    expect(() => join(over)).toThrow(/over 33554432 bytes \(MAX_MESSAGE_BYTES\)/)
  })

  test('the limit holds for all sub-links of the link together', () => {
    const pending = new PendingPieces(1000)
    const [one, two, three] = [new FrameJoiner(pending), new FrameJoiner(pending), new FrameJoiner(pending)]
    one.push(piece(400))
    two.push(piece(400))
    expect(() => three.push(piece(400))).toThrow(ProtocolError)
  })

  test('joined pieces no longer count, nor do those of an ended sub-link', () => {
    const pending = new PendingPieces(1000)
    for (let round = 0; round < 20; round++) {
      const joiner = new FrameJoiner(pending)
      joiner.push(piece(400))
      expect(joiner.push(withoutMore(piece(400)))).toHaveLength(800)
      joiner.push(piece(400))
      joiner.dropPieces()
    }
  })

  test('a message in tiny pieces is refused: each piece costs more memory than it brings', () => {
    const joiner = new FrameJoiner()
    expect(() => {
      for (let count = 0; count < 100_000; count++) joiner.push(piece(1))
    }).toThrow(/pieces/)
    const pending = new PendingPieces()
    expect(() => {
      for (let count = 0; count < 100_000; count++) new FrameJoiner(pending).push(piece(0))
    }).toThrow(/pieces/)
  })
})

test('[A6] a waiting piece keeps no other memory alive', async () => {
  const joiner = new FrameJoiner()
  const chunks = Array.from({ length: 4 }, () => {
    const chunk = new Uint8Array(64 * 1024).fill(1)
    joiner.push(chunk.subarray(0, 2))
    return new WeakRef(chunk.buffer)
  })
  await collectGarbage()
  expect(chunks.map((chunk) => chunk.deref())).toEqual([undefined, undefined, undefined, undefined])
  expect(joiner.push(Uint8Array.of(0, 2))).toEqual(Uint8Array.of(1, 1, 1, 1, 2))
})

test('random bytes are messages, a piece, or refused as a ProtocolError', () => {
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
  ['a number over the limit', [0xff, 0xff, 0xff, 0xff, 0x7f]],
  ['the sub-link of somebody else', [0x04, 0x41]],
  ['the last of a sub-link', [0x02, 0x01, 0x00, 0x00]],
])('a head of %s is refused', (_what, bytes) => {
  expect(() => new FrameJoiner().push(Uint8Array.from(bytes))).toThrow(ProtocolError)
})

test('a head is not read from the memory after the frame', () => {
  const pool = Uint8Array.of(0x82, 0x01, 0x41)
  expect(() => new FrameJoiner().push(pool.subarray(0, 1))).toThrow(ProtocolError)
})

/** A WeakRef keeps its object until the turn ends in which it was created. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  await settle()
  ;(runInNewContext('gc') as () => void)()
}

function join(frames: readonly Uint8Array[]): Uint8Array[] {
  const joiner = new FrameJoiner()
  return frames.flatMap((frame) => joiner.push(frame) ?? [])
}

const piece = (length: number): Uint8Array => Uint8Array.of(1, ...patterned(length, 1))

const withoutMore = (frame: Uint8Array): Uint8Array => Uint8Array.of(0, ...frame.subarray(1))

function patterned(size: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let index = 0; index < size; index++) bytes[index] = index * 31 + seed * 7
  return bytes
}

/** toEqual takes seconds on large arrays. */
const expectSame = (left: Uint8Array, right: Uint8Array): void => expect(Buffer.compare(left, right)).toBe(0)
