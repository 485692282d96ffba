/** The summary of another window: of the same person, but perhaps by another version of the page. */
import { either, flag, list, number, object, oneOf, type Read, text } from './shape.ts'
import type { Arrival, Elsewhere, Percentiles, Switch, Timeline, WindowFigures } from './state.ts'

const MAX_WINDOWS = 200
const MAX_HISTORY = 120
const MAX_TIMELINES = 50
/** Each transport, over the real network and over a simulated one. */
const MAX_LINKS = 12

const percentiles: Read<Percentiles> = object({
  count: number,
  p50: number,
  p95: number,
  p99: number,
  max: number,
})
const span = either(number, oneOf('hidden'))

const windowFigures: Read<WindowFigures> = object(
  {
    id: text,
    name: text,
    device: text,
    person: text,
    own: flag,
    sameBrowser: flag,
    present: flag,
    received: percentiles,
    applied: percentiles,
    painted: percentiles,
    hidden: number,
    paths: object({ browser: number, server: number }),
  },
  { boundMs: number },
)

const link: Read<NonNullable<Elsewhere['link']>> = object(
  {
    transport: oneOf('websocket', 'sse', 'stream', 'long-poll', 'poll', 'memory'),
    protocol: text,
    up: oneOf('frames', 'streamed body', 'batched posts'),
  },
  { sharedBy: oneOf('this window', 'another window'), simulated: oneOf(true) },
)

const arrival: Read<Arrival> = object({
  window: text,
  received: number,
  applied: number,
  painted: span,
  path: oneOf('browser', 'server'),
  boundMs: number,
})

const timeline: Read<Timeline> = object(
  {
    edit: number,
    key: number,
    by: oneOf('input', 'program'),
    made: number,
    arrivals: list(arrival, MAX_WINDOWS),
  },
  { link, ownPaint: span, sent: number, acknowledged: number, saved: number, refused: oneOf(true) },
)

const move: Read<Switch> = object({ at: number, from: text, to: text, reason: text })

const roundTrip: Read<Elsewhere['roundTrip']> = object(
  { history: list(object({ at: number, ms: number }, { link }), MAX_HISTORY) },
  { now: number, base: number },
)

const own: Read<Elsewhere['own']> = object({
  ownPaint: percentiles,
  sent: percentiles,
  acknowledged: percentiles,
  saved: percentiles,
})

const told: Read<Omit<Elsewhere, 'at' | 'sameBrowser'>> = object(
  {
    id: text,
    name: text,
    device: text,
    simulated: flag,
    roundTrip,
    own,
    windows: list(windowFigures, MAX_WINDOWS),
    earlier: list(object({ link, edits: number, own }), MAX_LINKS),
    queue: object({ edits: number, bytes: number }),
    traffic: object({ at: number, up: number, down: number }),
    reconnects: number,
    switches: list(move, MAX_TIMELINES),
    timelines: list(timeline, MAX_TIMELINES),
  },
  { link, perKey: object({ up: number, down: number }) },
)

/** Null for what is none. */
export function readElsewhere(json: string, how: Pick<Elsewhere, 'at' | 'sameBrowser'>): Elsewhere | null {
  try {
    return { ...told(JSON.parse(json)), ...how }
  } catch {
    return null
  }
}
