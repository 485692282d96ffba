/** Reads the summary of another window, which is the same person's but perhaps has another version of the page. */
import { networkTransports } from '../transports/descriptors.ts'
import {
  eitherOf,
  listOf,
  objectOf,
  parseJson,
  readBoolean,
  readFinite,
  readOneOf,
  type ValueReader,
} from '../protocol/value-reader.ts'
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

/** Longer text is cut, because people read it. */
const readWords: ValueReader<string> = (value) =>
  typeof value === 'string' ? value.slice(0, 200) : undefined

const percentiles: ValueReader<Percentiles> = objectOf({
  count: readFinite,
  p50: readFinite,
  p95: readFinite,
  p99: readFinite,
  max: readFinite,
})
const span = eitherOf(readFinite, readOneOf('hidden'))

const windowFigures: ValueReader<WindowFigures> = objectOf(
  {
    id: readWords,
    name: readWords,
    device: readWords,
    person: readWords,
    own: readBoolean,
    sameBrowser: readBoolean,
    present: readBoolean,
    received: percentiles,
    applied: percentiles,
    painted: percentiles,
    hidden: readFinite,
    paths: objectOf({ browser: readFinite, server: readFinite }),
  },
  { boundMs: readFinite },
)

const link: ValueReader<NonNullable<ReceivedSummary['link']>> = objectOf(
  {
    transport: readOneOf(...networkTransports, 'memory'),
    protocol: readWords,
    up: readOneOf('frames', 'streamed body', 'batched posts'),
  },
  { shared: readOneOf(true), simulated: readOneOf(true) },
)

const arrival: ValueReader<EditArrival> = objectOf({
  window: readWords,
  received: readFinite,
  applied: readFinite,
  painted: span,
  path: readOneOf('browser', 'server'),
  boundMs: readFinite,
})

const timeline: ValueReader<EditTimeline> = objectOf(
  {
    edit: readFinite,
    key: readFinite,
    by: readOneOf('input', 'program'),
    made: readFinite,
    arrivals: listOf(arrival, MAX_WINDOWS),
  },
  {
    link,
    ownPaint: span,
    sent: readFinite,
    acknowledged: readFinite,
    saved: readFinite,
    refused: readOneOf(true),
  },
)

const transportSwitch: ValueReader<TransportSwitch> = objectOf({
  at: readFinite,
  from: readWords,
  to: readWords,
  reason: readWords,
})

const roundTrip: ValueReader<ReceivedSummary['roundTrip']> = objectOf(
  { history: listOf(objectOf({ at: readFinite, ms: readFinite }, { link }), MAX_HISTORY) },
  { now: readFinite, base: readFinite },
)

const own: ValueReader<ReceivedSummary['own']> = objectOf({
  ownPaint: percentiles,
  sent: percentiles,
  acknowledged: percentiles,
  saved: percentiles,
})

const summaryShape: ValueReader<Omit<ReceivedSummary, 'at' | 'sameBrowser'>> = objectOf(
  {
    id: readWords,
    name: readWords,
    device: readWords,
    simulated: readBoolean,
    roundTrip,
    own,
    windows: listOf(windowFigures, MAX_WINDOWS),
    earlier: listOf(objectOf({ link, edits: readFinite, own }), MAX_LINKS),
    queue: objectOf({ edits: readFinite, bytes: readFinite }),
    traffic: objectOf({ at: readFinite, up: readFinite, down: readFinite }),
    reconnects: readFinite,
    switches: listOf(transportSwitch, MAX_TIMELINES),
    timelines: listOf(timeline, MAX_TIMELINES),
  },
  { link, perKey: objectOf({ up: readFinite, down: readFinite }) },
)

/** Returns null for what is no summary. Rows and optional fields that do not fit are left out. */
export function readSummary(
  json: string,
  receipt: Pick<ReceivedSummary, 'at' | 'sameBrowser'>,
): ReceivedSummary | null {
  const summary = summaryShape(parseJson(json))
  return summary ? { ...summary, ...receipt } : null
}
