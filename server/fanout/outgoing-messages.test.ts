import { expect, test } from 'vitest'
import { EnvelopeCodec } from './envelope.ts'
import { FanoutCounts } from './fanout-counts.ts'
import { OutgoingMessages } from './outgoing-messages.ts'

const MAX_BYTES = 1_000

function create() {
  const counts = new FanoutCounts()
  const outgoing = new OutgoingMessages({
    node: 'ada',
    envelopes: new EnvelopeCodec(undefined),
    counts,
    maxBytes: MAX_BYTES,
  })
  /** The message that goes to the medium now. */
  const take = () => {
    const messages = outgoing.take()
    return { messages, names: messages.map(({ topic, kind }) => `${kind} ${topic}`) }
  }
  return { counts, outgoing, take }
}

const bytes = (length: number) => new Uint8Array(length)

test('what was added is taken once, in order, and counted', () => {
  const { counts, outgoing, take } = create()
  outgoing.add('a', bytes(1))
  outgoing.add('b', bytes(1))
  expect([take().names, take().names, counts.published]).toEqual([['message a', 'message b'], [], 2])
})

test('bytes count until they are settled', () => {
  const { outgoing, take } = create()
  outgoing.add('a', bytes(600))
  expect([outgoing.hasRoomFor(bytes(300)), outgoing.hasRoomFor(bytes(400))]).toEqual([true, false])
  const { messages } = take()
  expect(outgoing.hasRoomFor(bytes(400))).toBe(false)
  outgoing.onSettled(messages)
  expect(outgoing.hasRoomFor(bytes(MAX_BYTES))).toBe(true)
})

test('a dropped message leaves one gap in its topic, which is told once', () => {
  const { counts, outgoing, take } = create()
  for (const topic of ['a', 'a', 'b']) outgoing.drop(topic)
  outgoing.add('c', bytes(1))
  expect(outgoing.hasGaps).toBe(true)
  expect(take().names).toEqual(['message c', 'gap a', 'gap b'])
  expect([outgoing.hasGaps, take().names, counts.dropped]).toEqual([false, [], 3])
})

test('gaps are told when half of the limit is free', () => {
  const { outgoing, take } = create()
  outgoing.add('a', bytes(600))
  outgoing.drop('b')
  const { messages, names } = take()
  expect([names, outgoing.hasGaps]).toEqual([['message a'], true])
  outgoing.onSettled(messages)
  expect(take().names).toEqual(['gap b'])
})

test('what a medium did not take leaves gaps; a notice of one is no lost message', () => {
  const { counts, outgoing, take } = create()
  outgoing.drop('a')
  outgoing.add('b', bytes(1))
  outgoing.onNotSent(take().messages)
  expect([take().names, counts.dropped]).toEqual([['gap b', 'gap a'], 2])
})

test('what waits when a connection is lost is dropped, and takes no room', () => {
  const { counts, outgoing, take } = create()
  outgoing.add('a', bytes(900))
  outgoing.dropQueue()
  expect([outgoing.hasRoomFor(bytes(MAX_BYTES)), take().names, counts.dropped]).toEqual([true, ['gap a'], 1])
})
