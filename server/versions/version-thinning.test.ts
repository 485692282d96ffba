import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ThinnableVersion, versionsToRemove } from './version-thinning.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 10, 21, 12)

const versionOfAge = (ago: number, name: string | null = null): ThinnableVersion => ({
  id: `${ago}`,
  createdAt: NOW - ago,
  name,
})

const remaining = (versions: readonly ThinnableVersion[], now = NOW) => {
  const removedIds = new Set(versionsToRemove(versions, now))
  return versions.filter(({ id }) => !removedIds.has(id))
}

describe('[D9] versions without a name are thinned out', () => {
  test('within a day all are kept', () => {
    const versions = [0, 10, 20, 23 * 60].map((minutes) => versionOfAge(minutes * MINUTE))
    expect(remaining(versions)).toEqual(versions)
  })

  test('[A6] of very many in a day the newest 200 and one of each hour before are kept', () => {
    const versions = Array.from({ length: 1_000 }, (_, n) => versionOfAge(n * MINUTE))
    expect(remaining(versions)).toHaveLength(201 + 14)
  })

  test('within a week the last of each hour is kept', () => {
    const versions = [
      versionOfAge(0),
      versionOfAge(2 * DAY + 5 * MINUTE),
      versionOfAge(2 * DAY + 55 * MINUTE),
      versionOfAge(2 * DAY + HOUR + MINUTE),
    ]
    expect(remaining(versions)).toEqual([versions[0], versions[1], versions[3]])
  })

  test('later the last of each day is kept', () => {
    const versions = [
      versionOfAge(0),
      versionOfAge(8 * DAY + HOUR),
      versionOfAge(8 * DAY + 5 * HOUR),
      versionOfAge(9 * DAY),
    ]
    expect(remaining(versions)).toEqual([versions[0], versions[1], versions[3]])
  })

  test('named ones stay, and so does the newest, however old', () => {
    const versions = [
      versionOfAge(30 * DAY),
      versionOfAge(30 * DAY + 1),
      versionOfAge(30 * DAY + 2, 'First draft'),
      versionOfAge(30 * DAY + 3),
    ]
    expect(remaining(versions)).toEqual([versions[0], versions[1], versions[2]])
  })

  const times = fc.uniqueArray(fc.integer({ min: 0, max: 40 * DAY }), { maxLength: 60 })

  test('repeating it changes nothing, and each day that had a version keeps one', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 20 * DAY }), (ages, later) => {
        const versions = ages.map((age) => versionOfAge(age))
        const thinned = remaining(versions)
        expect(remaining(thinned)).toEqual(thinned)
        const daysOf = (all: readonly ThinnableVersion[]) =>
          new Set(all.map(({ createdAt }) => Math.floor(createdAt / DAY)))
        expect(daysOf(remaining(thinned, NOW + later))).toEqual(daysOf(versions))
      }),
    )
  })
})
