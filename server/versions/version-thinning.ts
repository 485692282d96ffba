/** Chooses which versions without a name to remove: all of a day are kept, then one an hour for a week, then one a day. */

export interface ThinnableVersion {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly name: string | null
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/**
 * A day has 144 versions at ten-minute intervals; when more are made by hand or by leaving
 * often, the older ones are thinned out sooner.
 */
const MAX_RECENT = 200

/** Returns the ids to delete. The last version of each hour or day (UTC) stays; named versions and the newest of all always stay. */
export function versionsToRemove(versions: readonly ThinnableVersion[], now: number): string[] {
  const newestFirst = versions.toSorted((a, b) => b.createdAt - a.createdAt)
  const takenPeriods = new Set<string>()
  return newestFirst
    .slice(1)
    .filter(({ name }) => name === null)
    .filter(({ createdAt }, index) => {
      const age = now - createdAt
      const period = periodOf(createdAt, index < MAX_RECENT ? age : Math.max(age, DAY_MS))
      if (period === null) return false
      const isDuplicate = takenPeriods.has(period)
      takenPeriods.add(period)
      return isDuplicate
    })
    .map(({ id }) => id)
}

/**
 * Returns the period that the version shares with others, or null for none. The bounds of a period do not move while a version
 * ages, so that a version that was kept once stays kept.
 */
function periodOf(createdAt: number, age: number): string | null {
  if (age < DAY_MS) return null
  return age < WEEK_MS ? `hour ${Math.floor(createdAt / HOUR_MS)}` : `day ${Math.floor(createdAt / DAY_MS)}`
}
