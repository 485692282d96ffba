/** Reads the summary of another window, which is the same person's but perhaps has another version of the page. */
import { networkTransports } from '../transports/descriptors.ts'
import { either, flag, list, number, object, oneOf, type ShapeReader, text } from './json-shape.ts'
import type {
  EditArrival,
  ReceivedSummary,
  Percentiles,
  TransportSwitch,
  EditTimeline,
  WindowFigures,
} from './latency-state.ts'

const MAX_WINDOWS = 200
const MAX_HISTORY = 120
const MAX_TIMELINES = 50
/** Each transport, over the real network and over a simulated one. */
const MAX_LINKS = 12

const percentiles: ShapeReader<Percentiles> = object({
  count: number,
  p50: number,
  p95: number,
  p99: number,
  max: number,
})
const span = either(number, oneOf('hidden'))

const windowFigures: ShapeReader<WindowFigures> = object(
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

const link: ShapeReader<NonNullable<ReceivedSummary['link']>> = object(
  {
    transport: oneOf(...networkTransports, 'memory'),
    protocol: text,
    up: oneOf('frames', 'streamed body', 'batched posts'),
  },
  { shared: oneOf(true), simulated: oneOf(true) },
)

const arrival: ShapeReader<EditArrival> = object({
  window: text,
  received: number,
  applied: number,
  painted: span,
  path: oneOf('browser', 'server'),
  boundMs: number,
})

const timeline: ShapeReader<EditTimeline> = object(
  {
    edit: number,
    key: number,
    by: oneOf('input', 'program'),
    made: number,
    arrivals: list(arrival, MAX_WINDOWS),
  },
  { link, ownPaint: span, sent: number, acknowledged: number, saved: number, refused: oneOf(true) },
)

const transportSwitch: ShapeReader<TransportSwitch> = object({
  at: number,
  from: text,
  to: text,
  reason: text,
})

const roundTrip: ShapeReader<ReceivedSummary['roundTrip']> = object(
  { history: list(object({ at: number, ms: number }, { link }), MAX_HISTORY) },
  { now: number, base: number },
)

const own: ShapeReader<ReceivedSummary['own']> = object({
  ownPaint: percentiles,
  sent: percentiles,
  acknowledged: percentiles,
  saved: percentiles,
})

const summaryShape: ShapeReader<Omit<ReceivedSummary, 'at' | 'sameBrowser'>> = object(
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
    switches: list(transportSwitch, MAX_TIMELINES),
    timelines: list(timeline, MAX_TIMELINES),
  },
  { link, perKey: object({ up: number, down: number }) },
)

/** Returns null for what is no summary. */
export function readSummary(
  json: string,
  receipt: Pick<ReceivedSummary, 'at' | 'sameBrowser'>,
): ReceivedSummary | null {
  try {
    return { ...summaryShape(JSON.parse(json)), ...receipt }
  } catch {
    return null
  }
}
