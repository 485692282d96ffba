import { expect, test } from 'vitest'
import {
  MAX_DESK_BYTES,
  MAX_DESK_MEMORY,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENT_MEMORY,
} from '../../lib/protocol/limits.ts'
import { SizeLimit } from './size-limit.ts'
import { type MemoryCount, memoryBytesOf } from './memory-count.ts'
import { TextMemory } from './text-memory.ts'

const countOf = (more: Partial<MemoryCount>): MemoryCount => ({
  bytes: 0,
  structs: 0,
  contentBytes: 0,
  deleted: 0,
  ...more,
})

const ofBytes = (bytes: number): MemoryCount => countOf({ bytes })

const refusal = expect.objectContaining({ reason: expect.objectContaining({ code: 'too-large' }) })

/** A text of which only the size is known. */
function openLimit(part: 'body' | 'desk') {
  const memory = new TextMemory(ofBytes(0))
  return new SizeLimit(part, {
    bytes: 0,
    get memoryBytes() {
      return memory.bytes(0, null)
    },
    addMemory: (count) => memory.add(count),
    removeMemory: (count) => memory.remove(count),
    setMeasured: (count) => memory.set(count),
  })
}

test('[A6] a part is measured before an edit is refused, and again once enough of it has changed', () => {
  const limit = openLimit('body')
  limit.add(ofBytes(MAX_DOCUMENT_BYTES))
  expect([limit.isMeasureDue(ofBytes(0)), limit.isMeasureDue(ofBytes(1))]).toEqual([false, true])
  limit.setMeasured(ofBytes(MAX_DOCUMENT_BYTES - 100)) // the sum overstated it
  expect(limit.isMeasureDue(ofBytes(101))).toBe(false)
  limit.check(ofBytes(100))
  expect(() => limit.check(ofBytes(101))).toThrow(refusal)
  limit.add(countOf({ bytes: 100, deleted: MAX_DOCUMENT_BYTES / 64 }))
  expect(limit.isMeasureDue(ofBytes(1))).toBe(true)
  limit.setUnmeasurable()
  expect(limit.isMeasureDue(ofBytes(1))).toBe(false)
  limit.remove(ofBytes(1)) // the edit was refused after it was counted
  limit.check(ofBytes(1))
})

test('[A6] no measurement helps an edit that does not fit alone', () => {
  const limit = openLimit('body')
  limit.add(ofBytes(MAX_DOCUMENT_BYTES))
  expect(limit.isMeasureDue(ofBytes(MAX_DOCUMENT_BYTES + 1))).toBe(false)
})

test.each([
  ['body', MAX_DOCUMENT_BYTES, MAX_DOCUMENT_MEMORY],
  ['desk', MAX_DESK_BYTES, MAX_DESK_MEMORY],
] as const)('[A6] a %s has a limit for its bytes and for its memory', (part, bytes, memory) => {
  const limit = openLimit(part)
  limit.check(ofBytes(bytes))
  expect(() => limit.check(ofBytes(bytes + 1))).toThrow(refusal)
  limit.check(countOf({ contentBytes: memory }))
  const structs = Math.ceil(memory / memoryBytesOf(countOf({ structs: 1 }))) + 1
  expect(() => limit.check(countOf({ structs }))).toThrow(refusal)
  limit.add(countOf({ contentBytes: memory }))
  expect(() => limit.check(countOf({ structs: 1 }))).toThrow(refusal)
})
