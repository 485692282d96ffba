import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { packFrames } from './framing.ts'
import { encodeServerMessage, readServerMessages } from './message.ts'
import { SharedChange, SharedUpdates } from './shared-change.ts'

const updates = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 12 })
const number = fc.nat({ max: Number.MAX_SAFE_INTEGER })

const encoded = (message: SharedChange): Uint8Array => {
  const bytes = new Uint8Array(message.length)
  message.writeTo(bytes, 0)
  return bytes
}

test('a shared change has, after its head, the same bytes as one for a single reader', () => {
  const same = fc.property(number, number, updates, (count, channel, all) => {
    const unshared = encodeServerMessage({ type: 'change', number: count, channel, updates: all })
    expect(encoded(new SharedChange(count, channel, SharedUpdates.of(all)))).toEqual(unshared)
  })
  fc.assert(same)
})

test('the author of some updates receives the others, in their order and with the same bytes', () => {
  const others = fc.property(updates, fc.infiniteStream(fc.boolean()), (all, isOwnUpdate) => {
    const own = all.map(() => isOwnUpdate.next().value as boolean)
    const indices = [...all.keys()].filter((index) => own[index])
    const left = all.filter((_, index) => !own[index])
    const shared = SharedUpdates.of(all).withoutOwn(indices)
    expect(shared.updates).toEqual(left)
    if (left.length === 0) return
    const message = encoded(new SharedChange(1, 2, shared))
    expect(readServerMessages(message)).toEqual([{ type: 'change', number: 1, channel: 2, updates: left }])
    expect(new Set(shared.updates.map(({ buffer }) => buffer)).size).toBe(1)
  })
  fc.assert(others)
})

test('[T6] a shared change larger than a frame is split like any other message', () => {
  const all = [new Uint8Array(20_000).fill(1), new Uint8Array(3).fill(2)]
  const shared = new SharedChange(7, 1, SharedUpdates.of(all))
  const unshared = encodeServerMessage({ type: 'change', number: 7, channel: 1, updates: all })
  const small = encodeServerMessage({ type: 'saved', number: 8, channel: 1, upTo: 3 })
  expect(packFrames([shared, small])).toEqual(packFrames([unshared, small]))
})

test('the author of some of many updates receives the others in their order, whole runs merged into one', () => {
  const merge = (run: Uint8Array[]): Uint8Array => Uint8Array.from(run.flatMap((update) => [...update]))
  const many = fc.record({
    count: fc.integer({ min: 1, max: 70 }),
    made: fc.infiniteStream(fc.boolean()),
    all: fc.nat(3),
  })
  const others = fc.property(many, ({ count, made: isOwnUpdate, all }) => {
    const own = Array.from({ length: count }, () => (isOwnUpdate.next().value as boolean) && all > 0)
    const indices = own.flatMap((isOwn, index) => (isOwn ? [index] : []))
    const updates = own.map((_, index) => Uint8Array.of(index))
    const shared = SharedUpdates.of(updates, merge)
    const received = (indices.length > 0 ? shared.withoutOwn(indices) : shared).updates
    expect(received.flatMap((update) => [...update])).toEqual(
      own.flatMap((isOwn, index) => (isOwn ? [] : [index])),
    )
  })
  fc.assert(others)
})

test('the author of one of a thousand receives 31 runs and the 31 others of its own', () => {
  const updates = Array.from({ length: 1_000 }, () => Uint8Array.of(1))
  const shared = SharedUpdates.of(updates, (run) => new Uint8Array(run.length))
  expect(shared.updates.map(({ length }) => length)).toEqual([...Array.from({ length: 31 }, () => 32), 8])
  const others = shared.withoutOwn([500]).updates.map(({ length }) => length)
  expect(others.filter((length) => length === 32)).toHaveLength(30)
  expect(others.filter((length) => length === 1)).toHaveLength(31)
  expect(others.reduce((sum, length) => sum + length)).toBe(999)
})
