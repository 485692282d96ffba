import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CloseReason } from './close.ts'
import { closeCodes } from './close.ts'
import { emptyFrame, lastFrame, MAX_RIDE, readHead, readLast, renumbered } from './ride.ts'

const ride = fc.oneof(fc.nat(40), fc.nat(MAX_RIDE), fc.constant(MAX_RIDE))

test('a frame goes under another number and back, and is the same', () => {
  fc.assert(
    fc.property(ride, fc.boolean(), fc.uint8Array({ maxLength: 300 }), (number, more, piece) => {
      const frame = emptyFrame(more, piece.length)
      frame.set(piece, frame.length - piece.length)
      const there = renumbered(frame, readHead(frame), number)
      expect(readHead(there)).toMatchObject({ ride: number, last: false, more })
      expect(renumbered(there, readHead(there), 0)).toEqual(frame)
    }),
  )
})

test('a last frame says whose it is and why', () => {
  const reasons = closeCodes.map((code): CloseReason => ({ code, detail: `“${code}”`, retryAfterMs: 5000 }))
  fc.assert(
    fc.property(ride, fc.constantFrom(...reasons), (number, reason) => {
      const frame = lastFrame(number, reason)
      const head = readHead(frame)
      expect([head.ride, head.last, readLast(frame, head)]).toEqual([number, true, reason])
    }),
  )
})

test('up to 31 windows share a link without a byte more', () => {
  const frame = emptyFrame(true, 3)
  expect(renumbered(frame, readHead(frame), 31)).toHaveLength(frame.length)
})
