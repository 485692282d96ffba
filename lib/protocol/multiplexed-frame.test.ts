import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CloseReason } from './close.ts'
import { closeCodes } from './close.ts'
import {
  emptyFrame,
  encodeLastFrame,
  MAX_SUB_LINK,
  readFrameHead,
  readLastReason,
  renumberFrame,
} from './multiplexed-frame.ts'

const subLink = fc.oneof(fc.nat(40), fc.nat(MAX_SUB_LINK), fc.constant(MAX_SUB_LINK))

test('a frame that gets another number and its own again is the same', () => {
  fc.assert(
    fc.property(subLink, fc.boolean(), fc.uint8Array({ maxLength: 300 }), (number, more, piece) => {
      const frame = emptyFrame(more, piece.length)
      frame.set(piece, frame.length - piece.length)
      const renumberedFrame = renumberFrame(frame, readFrameHead(frame), number)
      expect(readFrameHead(renumberedFrame)).toMatchObject({ subLink: number, last: false, more })
      expect(renumberFrame(renumberedFrame, readFrameHead(renumberedFrame), 0)).toEqual(frame)
    }),
  )
})

test('a last frame names its sub-link and the reason', () => {
  const reasons = closeCodes.map((code): CloseReason => ({ code, detail: `“${code}”`, retryAfterMs: 5000 }))
  fc.assert(
    fc.property(subLink, fc.constantFrom(...reasons), (number, reason) => {
      const frame = encodeLastFrame(number, reason)
      const head = readFrameHead(frame)
      expect([head.subLink, head.last, readLastReason(frame, head)]).toEqual([number, true, reason])
    }),
  )
})

test('up to 31 windows share a link without a byte more', () => {
  const frame = emptyFrame(true, 3)
  expect(renumberFrame(frame, readFrameHead(frame), 31)).toHaveLength(frame.length)
})
