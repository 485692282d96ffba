import { afterEach, expect, test, vi } from 'vitest'
import { MAX_DESK_BYTES, MAX_DOCUMENT_BYTES } from '../../lib/protocol/limits.ts'
import { SizeLimit } from './size-limit.ts'

afterEach(() => {
  vi.useRealTimers()
})

const refusal = expect.objectContaining({ reason: expect.objectContaining({ code: 'too-large' }) })

test('[A6] a part is measured before an edit is refused, and at most every 10 s', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let measured = 100
  let measurements = 0
  const limit = new SizeLimit('body', 0, () => (measurements++, measured))
  limit.add(MAX_DOCUMENT_BYTES)
  limit.check(1) // the sum overstated it
  expect(measurements).toBe(1)
  measured = MAX_DOCUMENT_BYTES
  limit.add(MAX_DOCUMENT_BYTES - 100)
  limit.check(0)
  expect(() => limit.check(1)).toThrow(refusal)
  expect(measurements).toBe(1)
  vi.advanceTimersByTime(10_001)
  expect(() => limit.check(1)).toThrow(refusal)
  expect(measurements).toBe(2)
  limit.add(-1) // the edit was refused after it was counted
  limit.check(1)
})

test('[A6] a desk has a limit of its own', () => {
  const limit = new SizeLimit('desk', MAX_DESK_BYTES, () => MAX_DESK_BYTES)
  limit.check(0)
  expect(() => limit.check(1)).toThrow(refusal)
})
