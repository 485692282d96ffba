import { describe, expect, test } from 'vitest'
import { MAX_TAKEN_A_TURN, TurnLimit } from './turn-limit.ts'

const KIB = 1024

describe('[A6] in one turn of the event loop', () => {
  const countTaken = (limit: TurnLimit, principal: string, bytes: number): number => {
    for (let count = 0; ; count++) if (limit.take(principal, bytes)) return count
  }

  test('so many items of a principal are taken, fewer of long ones, and one of any length', () => {
    expect(countTaken(new TurnLimit(128), 'eve', 20)).toBe(MAX_TAKEN_A_TURN)
    expect(countTaken(new TurnLimit(128), 'eve', 32 * KIB)).toBe(2)
    expect(countTaken(new TurnLimit(128), 'eve', 64 * KIB)).toBe(1)
  })

  test('others have theirs, and the rest comes in the next turn', async () => {
    const limit = new TurnLimit(128)
    countTaken(limit, 'eve', 20)
    expect(limit.take('ada', 20)).toBe(null)
    await limit.take('eve', 20)
    expect(limit.take('eve', 20)).toBe(null)
  })
})
