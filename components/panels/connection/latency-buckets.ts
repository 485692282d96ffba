/** Counts how many edits took how long. The steps widen as people perceive delays: 1, 2, 3, 5, 8, 12, 20, 30, 50 … ms. */
import type { RemoteStage, OwnStage, EditTimeline } from '@/lib/latency/latency-state.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'

/** Upper ends, in ms. */
// prettier-ignore
const bucketEnds: readonly number[] = [
  1, 2, 3, 5, 8,
  12, 20, 30, 50, 80,
  120, 200, 300, 500, 800,
  1200, 2000, 3000, 5000, 8000,
  Infinity,
]

export interface LatencyBucket {
  readonly text: string
  readonly count: number
}

/** All buckets from the first to the last that hold something, without a gap. */
export function bucketsOf(values: readonly number[]): readonly LatencyBucket[] {
  const counts = bucketEnds.map(
    (end, index) =>
      values.filter((value) => value <= end && value > (bucketEnds[index - 1] ?? -Infinity)).length,
  )
  const first = counts.findIndex((count) => count > 0)
  const last = counts.findLastIndex((count) => count > 0)
  return counts.flatMap((count, index) =>
    first >= 0 && index >= first && index <= last ? [{ text: bucketText(index), count }] : [],
  )
}

function bucketText(index: number): string {
  const [from, to] = [bucketEnds[index - 1] ?? 0, bucketEnds[index]!]
  return to === Infinity
    ? inspectorStrings.histogram.over(from)
    : inspectorStrings.histogram.between(from, to)
}

export interface WindowStage {
  readonly stage: OwnStage | RemoteStage
  /** '' for the window that made the edit. */
  readonly window: string
}

/** The values measured at a stage, without edits that did not reach it and without pages that were hidden. */
export function valuesAt(
  timelines: readonly EditTimeline[],
  { stage, window }: WindowStage,
): readonly number[] {
  return timelines.flatMap((edit) => {
    const value = window === '' ? ownValue(edit, stage) : remoteValue(edit, stage, window)
    return typeof value === 'number' ? [value] : []
  })
}

const ownValue = (edit: EditTimeline, stage: WindowStage['stage']) =>
  stage === 'received' || stage === 'applied' || stage === 'painted' ? undefined : edit[stage]

function remoteValue({ arrivals }: EditTimeline, stage: WindowStage['stage'], window: string) {
  const arrival = arrivals.find((one) => one.window === window)
  return stage === 'received' || stage === 'applied' || stage === 'painted' ? arrival?.[stage] : undefined
}
