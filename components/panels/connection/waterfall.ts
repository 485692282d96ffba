/** One edit as steps, each from where the one before it ended, in ms from the key. */
import type { Arrival, Timeline } from '@/lib/latency/state.ts'

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

const hidden = 'the page was not drawn'

function ownSteps({ made, ownPaint, sent, acknowledged, saved, refused }: Timeline): readonly Step[] {
  const leaving = sent ?? made
  return [
    { name: 'In the text', start: 0, end: made },
    ownPaint === 'hidden'
      ? { name: 'Own paint', start: made, note: hidden }
      : { name: 'Own paint', start: made, end: ownPaint },
    { name: 'Sent', start: made, end: sent },
    { name: 'Acknowledged', start: leaving, end: acknowledged },
    refused
      ? { name: 'Saved', start: leaving, note: 'refused' }
      : { name: 'Saved', start: leaving, end: saved },
  ]
}

function farLane({ sent, made }: Timeline, arrival: Arrival): Lane {
  const { window, received, applied, painted } = arrival
  // A neighbour may have it before it has left for the server.
  const start = Math.min(sent ?? made, received)
  const steps: Step[] = [
    { name: 'Received', start, end: received },
    { name: 'Applied', start: received, end: applied },
    painted === 'hidden'
      ? { name: 'Painted', start: applied, note: hidden }
      : { name: 'Painted', start: applied, end: painted },
  ]
  return { window, arrival, steps }
}

/** When the last screen had it; undefined while none has. */
export function lastScreen({ arrivals }: Timeline): number | undefined {
  const painted = arrivals.flatMap((arrival) => (arrival.painted === 'hidden' ? [] : [arrival.painted]))
  return painted.length > 0 ? Math.max(...painted) : undefined
}
