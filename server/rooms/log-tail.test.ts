import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LogTail } from './log-tail.ts'

test('added updates are there until they are dropped; views stay as they were', () => {
  const steps = fc.array(fc.oneof(fc.uint8Array({ maxLength: 700 }), fc.nat(6)), { maxLength: 60 })
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
