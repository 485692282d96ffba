import { uiStrings } from '@/lib/strings/ui.ts'

const timeUnits = [
  { unit: 'year', seconds: 31_557_600 },
  { unit: 'month', seconds: 2_629_800 },
  { unit: 'week', seconds: 604_800 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const

/** For example "just now", "3 minutes ago", "yesterday". A time ahead of this clock counts as now. */
export function relativeTimeText(at: number, now: number, locale = 'en'): string {
  const seconds = Math.max(0, (now - at) / 1000)
  const timeUnit = timeUnits.find((candidate) => seconds >= candidate.seconds)
  if (!timeUnit) return uiStrings.justNow
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return format.format(-Math.floor(seconds / timeUnit.seconds), timeUnit.unit)
}
