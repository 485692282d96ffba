import { describe, expect, test } from 'vitest'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import { type Kind, Unconfirmed } from './unconfirmed.ts'

const KiB = 1024
const MiB = 1024 * KiB

function after(...said: readonly (readonly [Kind, number])[]): Unconfirmed {
  const unconfirmed = new Unconfirmed()
  for (const [kind, bytes] of said) unconfirmed.said(kind, bytes)
  return unconfirmed
}

describe('[S6] what a client may leave unconfirmed', () => {
  test.each<[said: [Kind, number][], change: number, hasRoom: boolean]>([
    [[], 3 * MiB, true],
    [[['change', MiB - 10]], 10, true],
    [[['change', MiB - 10]], 11, false],
    [[['state', 20 * MiB]], 3 * MiB, true],
    [[['answer', MiB]], 3 * MiB, true],
  ])('%o leaves room for a change of %i bytes: %s', (said, change, hasRoom) => {
    expect(after(...said).hasRoomFor(change)).toBe(hasRoom)
  })

  test.each<[said: [Kind, number][], isCaughtUp: boolean]>([
    [[['change', 64 * KiB]], true],
    [[['change', 64 * KiB + 1]], false],
    [[['change', 32 * KiB], ['state', 32 * KiB + 1]], false], // prettier-ignore
    [[['answer', MiB]], true],
  ])('after %o it has caught up: %s', (said, isCaughtUp) => {
    expect(after(...said).isCaughtUp).toBe(isCaughtUp)
  })

  test.each<[said: [Kind, number][], ends: boolean, endsWithoutLink: boolean]>([
    [[['answer', MiB]], false, false],
    [[['answer', MiB + 1]], true, false],
    [[['state', 4 * MiB]], false, false],
    [[['state', 4 * MiB], ['answer', 1]], false, true], // prettier-ignore
    [[['state', MAX_MESSAGE_BYTES], ['change', MAX_MESSAGE_BYTES]], false, true], // prettier-ignore
    [[['state', MAX_MESSAGE_BYTES], ['change', MAX_MESSAGE_BYTES], ['answer', 1]], true, true], // prettier-ignore
  ])('%o ends the session: %s; without a link: %s', (said, ends, endsWithoutLink) => {
    const unconfirmed = after(...said)
    expect([unconfirmed.isTooMuch, unconfirmed.isTooMuchWithoutLink]).toEqual([ends, endsWithoutLink])
  })

  test('what is confirmed is not counted any more', () => {
    const unconfirmed = after(['change', MiB], ['state', 10], ['answer', 5])
    unconfirmed.confirmed('change', MiB)
    expect([unconfirmed.bytes, unconfirmed.hasRoomFor(MiB)]).toEqual([15, true])
  })
})
