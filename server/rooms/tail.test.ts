import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Tail } from './tail.ts'

test('what was added is there, but for what was dropped; views stay as they were', () => {
  const steps = fc.array(fc.oneof(fc.uint8Array({ maxLength: 700 }), fc.nat(6)), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (all) => {
      const tail = new Tail()
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
