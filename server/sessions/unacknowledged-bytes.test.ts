import { describe, expect, test } from 'vitest'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import { BufferBudget } from './buffer-budget.ts'
import {
  UnacknowledgedBytes,
  type UnacknowledgedKind,
  type UnacknowledgedMessage,
} from './unacknowledged-bytes.ts'

const KiB = 1024
const MiB = 1024 * KiB

const messageOf = (kind: UnacknowledgedKind, length: number): UnacknowledgedMessage => ({
  kind,
  bytes: { length },
  shared: null,
})

const openAccount = (budget = new BufferBudget()) => budget.openAccount('ada', () => {})

function unacknowledgedAfter(
  ...sent: readonly (readonly [UnacknowledgedKind, number])[]
): UnacknowledgedBytes {
  const unacknowledged = new UnacknowledgedBytes(openAccount())
  for (const [kind, bytes] of sent) unacknowledged.add(messageOf(kind, bytes))
  return unacknowledged
}

describe('[S6] bytes that a client may leave unacknowledged', () => {
  test.each<[sent: [UnacknowledgedKind, number][], change: number, hasRoom: boolean]>([
    [[], 3 * MiB, true],
    [[['change', MiB - 10]], 10, true],
    [[['change', MiB - 10]], 11, false],
    [[['state', 20 * MiB]], 3 * MiB, true],
    [[['answer', MiB]], 3 * MiB, true],
  ])('%o leaves room for a change of %i bytes: %s', (sent, change, hasRoom) => {
    expect(unacknowledgedAfter(...sent).hasRoomFor(change)).toBe(hasRoom)
  })

  test.each<[sent: [UnacknowledgedKind, number][], isCaughtUp: boolean]>([
    [[['change', 64 * KiB]], true],
    [[['change', 64 * KiB + 1]], false],
    [[['change', 32 * KiB], ['state', 32 * KiB + 1]], false], // prettier-ignore
    [[['answer', MiB]], true],
  ])('after %o it has caught up: %s', (sent, isCaughtUp) => {
    expect(unacknowledgedAfter(...sent).isCaughtUp).toBe(isCaughtUp)
  })

  test.each<[sent: [UnacknowledgedKind, number][], ends: boolean, endsWithoutLink: boolean]>([
    [[['answer', MiB]], false, false],
    [[['answer', MiB + 1]], true, false],
    [[['state', 4 * MiB]], false, false],
    [[['state', 4 * MiB], ['answer', 1]], false, true], // prettier-ignore
    [[['state', MAX_MESSAGE_BYTES], ['change', MAX_MESSAGE_BYTES]], false, true], // prettier-ignore
    [[['state', MAX_MESSAGE_BYTES], ['change', MAX_MESSAGE_BYTES], ['answer', 1]], true, true], // prettier-ignore
  ])('%o ends the session: %s; without a link: %s', (sent, ends, endsWithoutLink) => {
    const unacknowledged = unacknowledgedAfter(...sent)
    expect([unacknowledged.isOverLimit, unacknowledged.isOverLimitWithoutLink]).toEqual([
      ends,
      endsWithoutLink,
    ])
  })

  test('do not count any more when they are acknowledged', () => {
    const unacknowledged = unacknowledgedAfter(['change', MiB], ['state', 10], ['answer', 5])
    unacknowledged.subtract(messageOf('change', MiB))
    expect([unacknowledged.bytes, unacknowledged.hasRoomFor(MiB)]).toEqual([15, true])
  })
})

test('[S6] its principal pays for each message, and once for bytes that several sessions send, until it is acknowledged', () => {
  const budget = new BufferBudget()
  const sessions = [1, 2].map(() => new UnacknowledgedBytes(openAccount(budget)))
  const shared = { length: 1_000, readers: new Map() }
  const change: UnacknowledgedMessage = { kind: 'change', bytes: { length: 1_003 }, shared }
  for (const session of sessions) session.add(change)
  sessions[0]!.add(messageOf('answer', 10))
  expect(budget.bytesOf('ada')).toBe(1_000 + 10 + 3 * 128)
  for (const session of sessions) session.subtract(change)
  expect(budget.bytesOf('ada')).toBe(10 + 128)
  sessions[0]!.close()
  expect(budget.bytes).toBe(0)
})
