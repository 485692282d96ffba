import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Kept, tooMany } from './thinning.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 10, 21, 12)

const made = (ago: number, name: string | null = null): Kept => ({ id: `${ago}`, createdAt: NOW - ago, name })

const left = (versions: readonly Kept[], now = NOW) => {
  const gone = new Set(tooMany(versions, now))
  return versions.filter(({ id }) => !gone.has(id))
}

describe('[D9] versions without a name are thinned out', () => {
  test('within a day all are kept', () => {
    const versions = [0, 10, 20, 23 * 60].map((minutes) => made(minutes * MINUTE))
    expect(left(versions)).toEqual(versions)
  })

  test('[A6] of very many of a day the newest 200 and one of each hour before are kept', () => {
    const versions = Array.from({ length: 1_000 }, (_, n) => made(n * MINUTE))
    expect(left(versions)).toHaveLength(201 + 14)
  })

  test('within a week the last of each hour is kept', () => {
    const versions = [
      made(0),
      made(2 * DAY + 5 * MINUTE),
      made(2 * DAY + 55 * MINUTE),
      made(2 * DAY + HOUR + MINUTE),
    ]
    expect(left(versions)).toEqual([versions[0], versions[1], versions[3]])
  })

  test('later the last of each day is kept', () => {
    const versions = [made(0), made(8 * DAY + HOUR), made(8 * DAY + 5 * HOUR), made(9 * DAY)]
    expect(left(versions)).toEqual([versions[0], versions[1], versions[3]])
  })

  test('named ones stay, and so does the newest, however old', () => {
    const versions = [
      made(30 * DAY),
      made(30 * DAY + 1),
      made(30 * DAY + 2, 'First draft'),
      made(30 * DAY + 3),
    ]
    expect(left(versions)).toEqual([versions[0], versions[1], versions[2]])
  })

  const times = fc.uniqueArray(fc.integer({ min: 0, max: 40 * DAY }), { maxLength: 60 })

  test('doing it twice is doing it once, and what was kept of a day goes only while that day keeps another', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 20 * DAY }), (ages, later) => {
        const versions = ages.map((age) => made(age))
        const once = left(versions)
        expect(left(once)).toEqual(once)
        const daysOf = (all: readonly Kept[]) =>
          new Set(all.map(({ createdAt }) => Math.floor(createdAt / DAY)))
        expect(daysOf(left(once, NOW + later))).toEqual(daysOf(versions))
      }),
    )
  })
})
