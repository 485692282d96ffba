import { expect, test } from 'vitest'
import { clockOffsetBetween } from './clock-offset.ts'

const offset = (ms: number, boundMs: number) => ({ ms, boundMs })

test('[L2] across devices clocks are compared by way of the server, and bounds are added up', () => {
  expect(clockOffsetBetween({ own: offset(-5, 1), other: offset(100, 2), sameBrowser: false })).toEqual(
    offset(105, 3),
  )
})

test('[L2] windows of one browser have one clock', () => {
  expect(clockOffsetBetween({ own: null, other: null, sameBrowser: true })).toEqual(offset(0, 0.2))
  expect(clockOffsetBetween({ own: offset(10, 1), other: offset(11.5, 1), sameBrowser: true })).toEqual(
    offset(0, 0.2),
  )
})

test('[L2] windows of one browser have two clocks where the server shows it', () => {
  expect(clockOffsetBetween({ own: offset(10, 1), other: offset(3_000, 1), sameBrowser: true })).toEqual(
    offset(2_990, 2),
  )
})

test('[L2] where one of two devices does not know the server’s clock, there is no offset', () => {
  expect(clockOffsetBetween({ own: offset(1, 1), other: null, sameBrowser: false })).toBe(null)
  expect(clockOffsetBetween({ own: null, other: offset(1, 1), sameBrowser: false })).toBe(null)
})
