/** What is measured in `keystrokes`, and how its figures are taken of it. */
import type { Frames } from '../relay/frames.ts'
import { type LaneName, laneNames } from '../support/lanes.ts'
import type { Outcome } from '../support/scenario.ts'
import { overRounds, type Spread, summarise, type Summary } from '../support/stats.ts'
import type { Stations } from '../support/subject.ts'

/** Without a proxy, or ms one way through one. */
export type Network = 'direct' | '0' | '25' | '100'

export interface Params extends Record<string, string | number> {
  readonly network: Network
  /** The one that types included. */
  readonly windows: number
}

/** Of one key in one reader, in ms after the key. */
export type After = Omit<Stations, 'key'>

interface Bytes {
  readonly up: number
  readonly down: number
}

export interface Data {
  readonly readers: readonly (readonly After[])[]
  readonly clockDifference: number
  readonly latest: number
  readonly frames: Frames
  readonly serverCpuMsAKey: number
  readonly residentKiB: number
  /** Of one window each; where there is a proxy. */
  readonly bytesAKey?: { readonly writer: Bytes; readonly reader: Bytes }
  /** ms each, as far apart as the keys are. */
  readonly pacedFsyncs: readonly number[]
}

/** To a microsecond: the clock's own grain is 100 µs. */
export function rounded({ key, ...rest }: Stations): After {
  const after = (at: number): number => Math.round((at - key) * 1000) / 1000
  const { edited, sent, applied, rendered, painted, answered } = rest
  return {
    edited: after(edited),
    sent: after(sent),
    applied: after(applied),
    rendered: after(rendered),
    painted: after(painted),
    answered: after(answered),
  }
}

/** As people call them. */
export const titles: Readonly<Record<LaneName, string>> = {
  websocket: 'WebSocket',
  'websocket-h2': 'WebSocket within HTTP/2',
  sse: 'SSE over HTTP/2',
  'sse-posts': 'SSE over HTTP/2, POSTs up',
  stream: 'Stream over HTTP/2',
  'stream-posts': 'Stream over HTTP/2, POSTs up',
  'sse-http1': 'SSE over HTTP/1.1',
  'long-poll': 'Long polling',
  poll: 'Polling every 250 ms',
}

export type Outcomes = readonly Outcome<Params, Data>[]

/** The one that types and four that show it, as published. */
export const FIVE = 5

const spans = {
  'key → sent': ({ sent }) => sent,
  'sent → applied': ({ sent, applied }) => applied - sent,
  'sent → rendered': ({ sent, rendered }) => rendered - sent,
  'key → applied': ({ applied }) => applied,
  'key → painted': ({ painted }) => painted,
  'edit → saved': ({ edited, answered }) => answered - edited,
  'sent → saved': ({ sent, answered }) => answered - sent,
} satisfies Record<string, (of: After) => number>

export type SpanName = keyof typeof spans
export const spanNames = Object.keys(spans) as SpanName[]

export interface Which {
  readonly subject?: 'diptych' | 'relay'
  readonly lane: LaneName
  readonly network?: Network
  readonly windows?: number
}

export const of = (
  outcomes: Outcomes,
  { subject = 'diptych', lane, network = 'direct', windows = FIVE }: Which,
): Outcomes =>
  outcomes.filter(
    ({ trial }) =>
      trial.subject === subject &&
      trial.lane === lane &&
      trial.params.network === network &&
      trial.params.windows === windows,
  )

export const lanesIn = (outcomes: Outcomes, which: Omit<Which, 'lane'>): readonly LaneName[] =>
  laneNames.filter((lane) => of(outcomes, { ...which, lane }).length > 0)

/** Each figure is a round's own; over the rounds it has a median and two ends. */
export function figure(own: Outcomes, span: SpanName, which: keyof Summary): Spread {
  return overRounds(
    own.map(({ data }) => summarise(data.readers.flatMap((stations) => stations.map(spans[span])))[which]),
  )
}

export const p50 = (outcomes: Outcomes, which: Which, span: SpanName): number =>
  figure(of(outcomes, which), span, 'p50').median
