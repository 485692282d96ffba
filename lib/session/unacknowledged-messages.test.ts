import { expect, test } from 'vitest'
import { Outbox } from './numbering.ts'
import { type SentMessage, UnacknowledgedMessages } from './unacknowledged-messages.ts'

/** Messages of two channels: an attach, then messages that stand for so many edits. */
function createMessages() {
  const outbox = new Outbox<SentMessage>()
  const send = (channel: number, editCount: number) =>
    outbox.add((number) => ({ number, bytes: new Uint8Array(8), channel, editCount, isEdit: editCount > 0 }))
  for (const [channel, editCount] of [[1, 0], [1, 1], [2, 5], [1, 2], [2, 1]] as const) send(channel, editCount) // prettier-ignore
  const leftNumbers = () => outbox.after(0).map(({ number }) => number)
  return { unacknowledged: new UnacknowledgedMessages(outbox), leftNumbers }
}

test('received messages are released, except edits', () => {
  const { unacknowledged, leftNumbers } = createMessages()
  unacknowledged.onReceived(4)
  expect([leftNumbers(), unacknowledged.hasEdits]).toEqual([[2, 3, 4, 5], true])
})

test('[D1] `saved` releases the edits of one channel up to a number, and counts what they stand for', () => {
  const { unacknowledged, leftNumbers } = createMessages()
  expect([unacknowledged.onSaved(1, 4), leftNumbers()]).toEqual([3, [3, 5]])
  expect([unacknowledged.onSaved(2, 3), unacknowledged.onSaved(2, 3), leftNumbers()]).toEqual([5, 0, [5]])
})

test('`refused` releases one edit alone', () => {
  const { unacknowledged, leftNumbers } = createMessages()
  expect([unacknowledged.onRefused(2, 3), unacknowledged.onRefused(1, 5), leftNumbers()]).toEqual([
    5,
    0,
    [1, 2, 4, 5],
  ])
})

test('[S3] abandoned edits no longer count, and are kept until they are received', () => {
  const { unacknowledged, leftNumbers } = createMessages()
  unacknowledged.abandonEdits(2)
  expect([unacknowledged.onSaved(2, 3), unacknowledged.hasEdits, leftNumbers()]).toEqual([
    0,
    true,
    [1, 2, 4, 5],
  ])
  unacknowledged.abandonEdits(1)
  expect([leftNumbers(), unacknowledged.hasEdits]).toEqual([[1, 2, 4, 5], false])
  unacknowledged.onReceived(4)
  expect(leftNumbers()).toEqual([5])
})
