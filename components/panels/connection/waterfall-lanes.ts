/** One edit as steps, each starting where the previous one ended, in ms from the key. */
import type { EditArrival, EditTimeline } from '@/lib/latency/latency-state.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import { stageNames } from '@/components/latency/latency-text.ts'

export interface WaterfallStep {
  readonly name: string
  readonly start: number
  /** Undefined if the edit did not get there, or nobody saw it. */
  readonly end?: number | undefined
  /** Shown instead of a time. */
  readonly note?: string
}

export interface WaterfallLane {
  /** A window's id; '' for the window that made the edit. */
  readonly window: string
  readonly steps: readonly WaterfallStep[]
  readonly arrival?: EditArrival
}

export function lanesOf(edit: EditTimeline): readonly WaterfallLane[] {
  return [{ window: '', steps: ownSteps(edit) }, ...edit.arrivals.map((arrival) => remoteLane(edit, arrival))]
}

/** The length of the axis. */
export const spanOfLanes = (lanes: readonly WaterfallLane[]): number =>
  Math.max(1, ...lanes.flatMap(({ steps }) => steps.map(({ end = 0 }) => end)))

function ownSteps({
  made,
  ownPaint,
  sent,
  acknowledged,
  saved,
  refused,
}: EditTimeline): readonly WaterfallStep[] {
  const leaving = sent ?? made
  return [
    { name: inspectorStrings.edit.inText, start: 0, end: made },
    ownPaint === 'hidden'
      ? { name: stageNames.ownPaint, start: made, note: inspectorStrings.edit.notDrawn }
      : { name: stageNames.ownPaint, start: made, end: ownPaint },
    { name: stageNames.sent, start: made, end: sent },
    { name: stageNames.acknowledged, start: leaving, end: acknowledged },
    refused
      ? { name: stageNames.saved, start: leaving, note: inspectorStrings.edit.refused }
      : { name: stageNames.saved, start: leaving, end: saved },
  ]
}

function remoteLane({ sent, made }: EditTimeline, arrival: EditArrival): WaterfallLane {
  const { window, received, applied, painted } = arrival
  // Another window of this browser may have the edit before it leaves for the server.
  const start = Math.min(sent ?? made, received)
  const steps: WaterfallStep[] = [
    { name: stageNames.received, start, end: received },
    { name: stageNames.applied, start: received, end: applied },
    painted === 'hidden'
      ? { name: stageNames.painted, start: applied, note: inspectorStrings.edit.notDrawn }
      : { name: stageNames.painted, start: applied, end: painted },
  ]
  return { window, arrival, steps }
}

/** When the last screen painted the edit; undefined while none has. */
export function lastPaintOf({ arrivals }: EditTimeline): number | undefined {
  const painted = arrivals.flatMap((arrival) => (arrival.painted === 'hidden' ? [] : [arrival.painted]))
  return painted.length > 0 ? Math.max(...painted) : undefined
}
