/** What /lab/dashboard requests from a server, within the session or over HTTP: one figure about the server, after a wait that the seed decides. */
import { isRecord } from './value-reader.ts'

export const CHART_COUNT = 50

/** The `RequestMessage.method` of a request for a figure; the parameters are a `FigureRequest` in JSON. */
export const FIGURE_REQUEST = 'lab/figure'

export const MAX_SEED = 2 ** 31 - 1

export interface FigureRequest {
  /** 0 to CHART_COUNT - 1. */
  readonly chart: number
  readonly seed: number
}

export type FigureUnit = 'bytes' | 'percent' | 'per second' | 'ms' | 'count'

export interface Figure {
  readonly chart: number
  readonly name: string
  readonly unit: FigureUnit
  /** How long the server waited before it answered. */
  readonly waitedMs: number
  /** The time between two values. */
  readonly everyMs: number
  /** The values up to the moment of the answer, oldest first. */
  readonly values: readonly number[]
}

const SHORTEST_MS = 1_000
const LONGEST_MS = 5_000

/** The wait is 1 to 5 s, the same for the same seed everywhere. */
export const figureWaitMs = ({ chart, seed }: FigureRequest): number =>
  Math.round(SHORTEST_MS + (LONGEST_MS - SHORTEST_MS) * random(seed * CHART_COUNT + chart))

/** All figures cannot be drawn sooner than this. */
export const longestFigureWaitMs = (seed: number): number =>
  Math.max(...Array.from({ length: CHART_COUNT }, (_, chart) => figureWaitMs({ chart, seed })))

/** Returns a number in [0, 1), by mulberry32. */
function random(seed: number): number {
  let mixed = (seed + 0x6d2b79f5) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** Returns undefined for an invalid request. */
export function readFigureRequest(value: unknown): FigureRequest | undefined {
  if (!isRecord(value)) return undefined
  const { chart, seed } = value
  return isUpTo(chart, CHART_COUNT - 1) && isUpTo(seed, MAX_SEED) ? { chart, seed } : undefined
}

const isUpTo = (value: unknown, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most
