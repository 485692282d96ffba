/** How many edits took how long. The steps widen as delays do, as people feel them: 1, 2, 3, 5, 8, 12, 20, 30, 50 … ms. */
import type { FarStation, OwnStation, Timeline } from '@/lib/latency/state.ts'
import { strings } from '@/lib/strings/inspector.ts'

/** Upper ends, in ms. */
// prettier-ignore
const ends: readonly number[] = [
  1, 2, 3, 5, 8,
  12, 20, 30, 50, 80,
  120, 200, 300, 500, 800,
  1200, 2000, 3000, 5000, 8000,
  Infinity,
]

export interface Bucket {
  readonly text: string
  readonly count: number
}

/** From the first that holds something to the last, without a hole. */
export function bucketsOf(values: readonly number[]): readonly Bucket[] {
  const counts = ends.map(
    (end, index) => values.filter((value) => value <= end && value > (ends[index - 1] ?? -Infinity)).length,
  )
  const first = counts.findIndex((count) => count > 0)
  const last = counts.findLastIndex((count) => count > 0)
  return counts.flatMap((count, index) =>
    first >= 0 && index >= first && index <= last ? [{ text: textOf(index), count }] : [],
  )
}

function textOf(index: number): string {
  const [from, to] = [ends[index - 1] ?? 0, ends[index]!]
  return to === Infinity ? strings.histogram.over(from) : strings.histogram.between(from, to)
}

export interface Station {
  readonly station: OwnStation | FarStation
  /** '' for the window that made the edit. */
  readonly window: string
}

/** What was measured of a station; edits that did not reach it, and pages that were hidden, are not among them. */
export function valuesAt(timelines: readonly Timeline[], { station, window }: Station): readonly number[] {
  return timelines.flatMap((edit) => {
    const value = window === '' ? ownValue(edit, station) : farValue(edit, station, window)
    return typeof value === 'number' ? [value] : []
  })
}

const ownValue = (edit: Timeline, station: Station['station']) =>
  station === 'received' || station === 'applied' || station === 'painted' ? undefined : edit[station]

function farValue({ arrivals }: Timeline, station: Station['station'], window: string) {
  const arrival = arrivals.find((one) => one.window === window)
  return station === 'received' || station === 'applied' || station === 'painted'
    ? arrival?.[station]
    : undefined
}
