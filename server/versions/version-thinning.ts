/** Which versions without a name are too many: all of a day are kept, then one an hour for a week, then one a day. */

export interface ThinnableVersion {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly name: string | null
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** Ten minutes apart a day has 144; who asks for more by hand or by leaving often has the older ones thinned out sooner. */
const MAX_RECENT = 200

/** Ids to delete. Of each hour or day, by UTC, the last one stays; named ones and the newest of all always stay. */
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

/** Null: not shared with others. Slots stand still while a version ages, so that what was kept once is not lost to a shift. */
function periodOf(createdAt: number, age: number): string | null {
  if (age < DAY_MS) return null
  return age < WEEK_MS ? `hour ${Math.floor(createdAt / HOUR_MS)}` : `day ${Math.floor(createdAt / DAY_MS)}`
}
