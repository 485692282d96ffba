import { expect, test } from 'vitest'
import { Outbox } from './numbering.ts'
import { type Said, Unanswered } from './unanswered.ts'

/** Messages of two channels: an attach, then edits of so many weights. */
function said() {
  const outbox = new Outbox<Said>()
  const say = (channel: number, weight: number) =>
    outbox.add((number) => ({ number, bytes: new Uint8Array(8), channel, weight, isEdit: weight > 0 }))
  for (const [channel, weight] of [[1, 0], [1, 1], [2, 5], [1, 2], [2, 1]] as const) say(channel, weight) // prettier-ignore
  const left = () => outbox.after(0).map(({ number }) => number)
  return { unanswered: new Unanswered(outbox), left }
}

test('what is received is let go, but for edits', () => {
  const { unanswered, left } = said()
  unanswered.received(4)
  expect([left(), unanswered.hasEdits]).toEqual([[2, 3, 4, 5], true])
})

test('[D1] saved are the edits of one channel up to a number, and counted by what they stand for', () => {
  const { unanswered, left } = said()
  expect([unanswered.saved(1, 4), left()]).toEqual([3, [3, 5]])
  expect([unanswered.saved(2, 3), unanswered.saved(2, 3), left()]).toEqual([5, 0, [5]])
})

test('refused is one edit alone', () => {
  const { unanswered, left } = said()
  expect([unanswered.refused(2, 3), unanswered.refused(1, 5), left()]).toEqual([5, 0, [1, 2, 4, 5]])
})

test('[S3] disowned edits stand for nothing any more, and are kept until they are received', () => {
  const { unanswered, left } = said()
  unanswered.disown(2)
  expect([unanswered.saved(2, 3), unanswered.hasEdits, left()]).toEqual([0, true, [1, 2, 4, 5]])
  unanswered.disown(1)
  expect([left(), unanswered.hasEdits]).toEqual([[1, 2, 4, 5], false])
  unanswered.received(4)
  expect(left()).toEqual([5])
})
