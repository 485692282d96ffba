import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LogTail } from './log-tail.ts'

test('added updates are there until they are dropped; views stay as they were', () => {
  const steps = fc.array(fc.oneof(fc.uint8Array({ maxLength: 700 }), fc.nat(6)), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (all) => {
      const tail = new LogTail()
      let model: Uint8Array[] = []
      const seen: [views: Uint8Array[], copies: Uint8Array[]][] = []
      for (const step of all) {
        if (typeof step === 'number') {
          const count = Math.min(step, model.length)
          tail.drop(count)
          model = model.slice(count)
        } else {
          tail.add(step)
          model.push(step)
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
    tail.add(new Uint8Array(1_000))
    buffers.add(tail.updates[0]!.buffer)
  }
  expect(buffers.size).toBeLessThan(12)
  tail.drop(198)
  expect(tail.updates[0]!.buffer.byteLength).toBe(2_000)
})
