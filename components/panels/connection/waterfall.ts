/** One edit as steps, each from where the one before it ended, in ms from the key. */
import type { Arrival, Timeline } from '@/lib/latency/state.ts'
import { strings } from '@/lib/strings/inspector.ts'
import { stationNames } from '@/components/latency/words.ts'

export interface Step {
  readonly name: string
  readonly start: number
  /** Undefined: it was not reached, or not seen. */
  readonly end?: number | undefined
  /** In place of a time. */
  readonly note?: string
}

export interface Lane {
  /** A window's id; '' for the one that made the edit. */
  readonly window: string
  readonly steps: readonly Step[]
  readonly arrival?: Arrival
}

export function lanesOf(edit: Timeline): readonly Lane[] {
  return [{ window: '', steps: ownSteps(edit) }, ...edit.arrivals.map((arrival) => farLane(edit, arrival))]
}

/** How far the axis must go. */
export const spanOf = (lanes: readonly Lane[]): number =>
  Math.max(1, ...lanes.flatMap(({ steps }) => steps.map(({ end = 0 }) => end)))

function ownSteps({ made, ownPaint, sent, acknowledged, saved, refused }: Timeline): readonly Step[] {
  const leaving = sent ?? made
  return [
    { name: strings.edit.inText, start: 0, end: made },
    ownPaint === 'hidden'
      ? { name: stationNames.ownPaint, start: made, note: strings.edit.notDrawn }
      : { name: stationNames.ownPaint, start: made, end: ownPaint },
    { name: stationNames.sent, start: made, end: sent },
    { name: stationNames.acknowledged, start: leaving, end: acknowledged },
    refused
      ? { name: stationNames.saved, start: leaving, note: strings.edit.refused }
      : { name: stationNames.saved, start: leaving, end: saved },
  ]
}

function farLane({ sent, made }: Timeline, arrival: Arrival): Lane {
  const { window, received, applied, painted } = arrival
  // A neighbour may have it before it has left for the server.
  const start = Math.min(sent ?? made, received)
  const steps: Step[] = [
    { name: stationNames.received, start, end: received },
    { name: stationNames.applied, start: received, end: applied },
    painted === 'hidden'
      ? { name: stationNames.painted, start: applied, note: strings.edit.notDrawn }
      : { name: stationNames.painted, start: applied, end: painted },
  ]
  return { window, arrival, steps }
}

/** When the last screen had it; undefined while none has. */
export function lastScreen({ arrivals }: Timeline): number | undefined {
  const painted = arrivals.flatMap((arrival) => (arrival.painted === 'hidden' ? [] : [arrival.painted]))
  return painted.length > 0 ? Math.max(...painted) : undefined
}
