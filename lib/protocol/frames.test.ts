import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeFrames, FrameDecoder, framedBytes } from './frames.ts'
import { MAX_FRAME_BYTES } from './limits.ts'

const bytes = fc.oneof(
  { weight: 9, arbitrary: fc.uint8Array({ maxLength: 400 }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(127, 128, 16_383, 16_384, MAX_FRAME_BYTES)
      .map((n) => new Uint8Array(n).fill(7)),
  },
)

function decode(chunks: readonly Uint8Array<ArrayBuffer>[], limit?: number) {
  const frames: Uint8Array[] = []
  const decoder = new FrameDecoder((frame) => frames.push(frame), limit)
  for (const chunk of chunks) decoder.push(chunk)
  return { frames, midFrame: decoder.midFrame }
}

/** Cuts at these places, given as fractions of the whole. */
function slice(whole: Uint8Array<ArrayBuffer>, cuts: readonly number[]): Uint8Array<ArrayBuffer>[] {
  const places = [
    0,
    ...cuts.map((cut) => Math.floor(cut * whole.length)).toSorted((a, b) => a - b),
    whole.length,
  ]
  return places.slice(1).map((end, index) => whole.subarray(places[index], end))
}

describe('frames in a stream of bytes', () => {
  test('[T2] come out whole and in order, wherever the stream is cut', () => {
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 })
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 20 }), cuts, (frames, places) => {
        const got = decode(slice(encodeFrames(frames), places))
        expect(got.midFrame).toBe(false)
        expect(got.frames.length).toBe(frames.length)
        frames.forEach((frame, index) => expect(Buffer.compare(frame, got.frames[index]!)).toBe(0))
      }),
      { numRuns: 60 },
    )
  })

  test('[T2] come out of single bytes', () => {
    const frames = [new Uint8Array(), Uint8Array.of(1, 2, 3), new Uint8Array(300).fill(9)]
    const whole = encodeFrames(frames)
    expect(decode(Array.from(whole, (byte) => Uint8Array.of(byte))).frames).toEqual(frames)
  })

  test('behind a head, and as long as foretold', () => {
    const frames = [new Uint8Array(127), new Uint8Array(128), new Uint8Array(70_000)]
    const whole = encodeFrames(frames, Uint8Array.of(1, 2))
    expect(whole.slice(0, 2)).toEqual(Uint8Array.of(1, 2))
    expect(whole.length).toBe(2 + frames.reduce((sum, frame) => sum + framedBytes(frame), 0))
    expect(decode([whole.subarray(2)]).frames).toEqual(frames)
  })

  test('whether one is half there is told', () => {
    const whole = encodeFrames([new Uint8Array(200)])
    for (let length = 1; length < whole.length; length++)
      expect(decode([whole.subarray(0, length)]).midFrame).toBe(true)
    expect(decode([whole]).midFrame).toBe(false)
  })

  test('[T6] one over the limit is refused as soon as its length is known, and the limit named', () => {
    const length = Uint8Array.of(0x81, 0x80, 0x10)
    expect(() => decode([length])).toThrow(/262145 bytes.*262144 bytes \(MAX_FRAME_BYTES\)/)
    expect(decode([encodeFrames([new Uint8Array(10)])], 10).frames.length).toBe(1)
    expect(() => decode([encodeFrames([new Uint8Array(11)])], 10)).toThrow(
      expect.objectContaining({ reason: expect.objectContaining({ code: 'too-large' }) as unknown }) as Error,
    )
  })

  test('[A6] random bytes give frames, an incomplete frame or a reason, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 8 }), (chunks) => {
        try {
          decode(chunks)
        } catch (error) {
          expect(error).toMatchObject({
            name: 'ProtocolError',
            reason: { code: expect.stringMatching(/^(bad-frame|too-large)$/) as unknown },
          })
        }
      }),
    )
  })

  test('[A6] a length without end is refused', () => {
    expect(() => decode([new Uint8Array(5).fill(0xff)])).toThrow(
      expect.objectContaining({ reason: expect.objectContaining({ code: 'bad-frame' }) as unknown }) as Error,
    )
  })
})
