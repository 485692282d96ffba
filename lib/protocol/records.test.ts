import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closeCodes } from './close.ts'
import { MAX_FRAME_BYTES } from './limits.ts'
import type { ControlRecord } from './records.ts'
import { RecordDecoder } from './record-decoder.ts'
import { encodeControl, encodeRecords, recordByteLength } from './records.ts'

type Bytes = Uint8Array<ArrayBuffer>

const bytes = fc.oneof(
  { weight: 9, arbitrary: fc.uint8Array({ maxLength: 400 }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(63, 64, 8_191, 8_192, MAX_FRAME_BYTES)
      .map((length) => new Uint8Array(length).fill(7)),
  },
)

const reason = fc.record(
  {
    code: fc.constantFrom(...closeCodes),
    detail: fc.string({ unit: 'binary', minLength: 1, maxLength: 1000 }),
    retryAfterMs: fc.nat(),
  },
  { requiredKeys: ['code'] },
)

const control: fc.Arbitrary<ControlRecord> = fc.oneof(
  fc.constant({ type: 'up' } as const),
  fc.record({ type: fc.constant('close' as const), reason }),
  fc.record({
    type: fc.constant('link' as const),
    key: fc.record({
      id: fc.stringMatching(/^[\w.-]{1,100}$/),
      secret: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((secret) => new Uint8Array(secret)),
    }),
  }),
)

/** Fractions of the whole. They are not random doubles, since nearly all doubles up to 1 are close to 0. */
const cuts = fc.array(
  fc.nat({ max: 10_000 }).map((tenThousandths) => tenThousandths / 10_000),
  { maxLength: 40, size: 'max' },
)

function decode(chunks: readonly Bytes[], limit?: number) {
  const frames: Uint8Array[] = []
  const controls: ControlRecord[] = []
  const sink = {
    onFrame: (frame: Uint8Array) => void frames.push(frame),
    onControl: (one: ControlRecord) => void controls.push(one),
  }
  const decoder = new RecordDecoder(sink, limit)
  for (const chunk of chunks) decoder.push(chunk)
  return { frames, controls, midRecord: decoder.isMidRecord }
}

/** Cuts at these places, given as fractions of the whole. */
function slice(whole: Bytes, cutPoints: readonly number[]): Bytes[] {
  const inner = cutPoints.map((place) => Math.floor(place * whole.length)).toSorted((a, b) => a - b)
  const all = [0, ...inner, whole.length]
  return all.slice(1).map((end, index) => whole.subarray(all[index], end))
}

const joined = (...parts: readonly Uint8Array[]): Bytes => new Uint8Array(Buffer.concat(parts))

const reasonThrown = (code: string) =>
  expect.objectContaining({ reason: expect.objectContaining({ code }) as unknown }) as Error

describe('records in a stream of bytes', () => {
  test('[T2] frames come out whole and in order, wherever the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 20 }), cuts, (frames, cutPoints) => {
        const got = decode(slice(encodeRecords(frames), cutPoints))
        expect(got).toMatchObject({ midRecord: false, controls: [] })
        expect(got.frames.length).toBe(frames.length)
        frames.forEach((frame, index) => expect(Buffer.compare(frame, got.frames[index]!)).toBe(0))
      }),
      { numRuns: 60 },
    )
  })

  test('[S9] controls come out as they went in, between frames, wherever the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(control, { maxLength: 6 }), bytes, cuts, (controls, frame, cutPoints) => {
        const records = controls.map((one) => joined(encodeRecords([frame]), encodeControl(one)))
        const got = decode(slice(joined(...records), cutPoints))
        expect(got.controls).toEqual(controls)
        expect(got).toMatchObject({ midRecord: false, frames: { length: controls.length } })
      }),
      { numRuns: 60 },
    )
  })

  test('[T2] records are read from single bytes', () => {
    const frames = [new Uint8Array(), Uint8Array.of(1, 2, 3), new Uint8Array(9_000).fill(9)]
    const whole = joined(encodeRecords(frames), encodeControl({ type: 'up' }))
    expect(decode(Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual({
      frames,
      controls: [{ type: 'up' }],
      midRecord: false,
    })
  })

  test('frames between a head and a control have the predicted length', () => {
    const frames = [new Uint8Array(63), new Uint8Array(64), new Uint8Array(70_000)]
    const after = encodeControl({ type: 'close', reason: { code: 'done' } })
    const whole = encodeRecords(frames, { before: Uint8Array.of(1, 2), after })
    expect(whole.slice(0, 2)).toEqual(Uint8Array.of(1, 2))
    const expectedLength = frames.reduce((sum, frame) => sum + recordByteLength(frame), 0)
    expect(whole.length).toBe(2 + expectedLength + after.length)
    const got = decode([whole.subarray(2)])
    expect(got.frames).toEqual(frames)
    expect(got.controls).toEqual([{ type: 'close', reason: { code: 'done' } }])
  })

  test('the decoder knows whether it is within a record', () => {
    const whole = encodeRecords([new Uint8Array(200)])
    for (let length = 1; length < whole.length; length++)
      expect(decode([whole.subarray(0, length)]).midRecord).toBe(true)
    expect(decode([whole]).midRecord).toBe(false)
  })

  test('[T6] a frame over the limit is refused as soon as its length is known, and the limit named', () => {
    const length = Uint8Array.of(0x82, 0x80, 0x20)
    expect(() => decode([length])).toThrow(/262145 bytes.*262144 bytes \(MAX_FRAME_BYTES\)/)
    expect(decode([encodeRecords([new Uint8Array(10)])], 10).frames.length).toBe(1)
    expect(() => decode([encodeRecords([new Uint8Array(11)])], 10)).toThrow(reasonThrown('too-large'))
  })

  test('[A6] a control over 8 KiB is refused; a detail that would make one is cut', () => {
    expect(() => decode([Uint8Array.of(0x83, 0x80, 0x01)])).toThrow(/8193 bytes.*MAX_CONTROL_BYTES/)
    const detail = '\u0000'.repeat(5_000)
    const [close] = decode([encodeControl({ type: 'close', reason: { code: 'lost', detail } })]).controls
    expect(close).toEqual({ type: 'close', reason: { code: 'lost', detail: detail.slice(0, 1000) } })
  })

  test('[A6] a false length costs no more memory than the bytes that came', () => {
    const lie = Uint8Array.of(0x80, 0x80, 0x20, 1, 2, 3) // 256 KiB announced
    const before = process.memoryUsage().arrayBuffers
    const decoders = Array.from({ length: 1000 }, () => {
      const decoder = new RecordDecoder({ onFrame: () => {}, onControl: () => {} })
      decoder.push(lie)
      return decoder
    })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024)
    expect(decoders.every(({ isMidRecord }) => isMidRecord)).toBe(true)
  })

  test('an unknown control is ignored, one without its fields is refused', () => {
    const raw = (json: string): Bytes => Uint8Array.of(json.length * 2 + 1, ...Buffer.from(json))
    expect(decode([raw('{"type":"new"}'), raw('[]'), raw('{'), encodeRecords([Uint8Array.of(1)])])).toEqual({
      controls: [],
      frames: [Uint8Array.of(1)],
      midRecord: false,
    })
    expect(() => decode([raw('{"type":"link","id":"a"}')])).toThrow(reasonThrown('bad-frame'))
  })

  test('[A6] random bytes give records, an incomplete one or a reason, and nothing else', () => {
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
    expect(() => decode([new Uint8Array(5).fill(0xff)])).toThrow(reasonThrown('bad-frame'))
  })
})
