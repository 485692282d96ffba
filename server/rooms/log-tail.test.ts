import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LogTail } from './log-tail.ts'

/** Each is a view of a buffer, of which it has more or less. */
const longUpdates = fc
  .record({ bytes: fc.integer({ min: 16_380, max: 17_000 }), fill: fc.nat(255), foreign: fc.nat(2_000) })
  .map(({ bytes, fill, foreign }) => new Uint8Array(bytes + foreign).fill(fill).subarray(foreign))

test('added updates are there until they are dropped; views stay as they were', () => {
  const steps = fc.array(fc.oneof(fc.uint8Array({ maxLength: 700 }), longUpdates, fc.nat(6)), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(steps, (all) => {
      const tail = new LogTail()
      let model: Uint8Array[] = []
      let dropped = 0
      // Pairs of neighbours are swapped, as where two nodes append.
      const sequenceAt = (index: number) => index + (index % 2 === 0 ? 2 : 0)
      let sequences: number[] = []
      let added = 0
      const seen: [views: Uint8Array[], copies: Uint8Array[]][] = []
      for (const step of all) {
        if (typeof step === 'number') {
          dropped += step
          tail.dropThrough(dropped)
          model = model.filter((_update, index) => sequences[index]! > dropped)
          sequences = sequences.filter((sequence) => sequence > dropped)
        } else {
          const sequence = sequenceAt(added++)
          tail.add(step, sequence)
          model.push(step)
          sequences.push(sequence)
        }
        seen.push([tail.updates, [...model]])
        expect([tail.count, tail.bytes]).toEqual([
          model.length,
          model.reduce((sum, one) => sum + one.length, 0),
        ])
      }
      for (const [views, copies] of seen) expect(views).toEqual(copies)
    }),
  )
})

test('dropped updates take no memory, and growth copies no more often than the tail doubles', () => {
  const tail = new LogTail()
  const buffers = new Set<ArrayBufferLike>()
  for (let index = 0; index < 200; index++) {
    tail.add(new Uint8Array(1_000), index + 1)
    buffers.add(tail.updates[0]!.buffer)
  }
  expect(buffers.size).toBeLessThan(12)
  tail.dropThrough(198)
  expect(tail.updates[0]!.buffer.byteLength).toBe(2_000)
})

test('long updates are kept as they came, and copied only if they would keep more in memory than themselves', () => {
  const tail = new LogTail()
  const whole = new Uint8Array(64 * 1024)
  const part = new Uint8Array(128 * 1024).subarray(0, 64 * 1024)
  for (const [index, update] of [whole, Uint8Array.of(1), part].entries()) tail.add(update, index + 1)
  expect(tail.updates.map(({ length }) => length)).toEqual([whole.length, 1, part.length])
  expect(tail.updates[0]!.buffer).toBe(whole.buffer)
  expect(tail.updates[2]!.buffer.byteLength).toBe(part.length)
  tail.dropThrough(1)
  expect(tail.updates).toEqual([Uint8Array.of(1), part])
})
