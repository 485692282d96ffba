/** What /lab/dashboard asks of a server, by whichever way: one figure of its own, after a wait that the seed decides. */

export const CHART_COUNT = 50

/** Questions about a figure, as `Ask.about`; the body is a `FigureAsked` in JSON. */
export const FIGURE_REQUEST = 'lab/figure'

export const MAX_SEED = 2 ** 31 - 1

export interface FigureRequest {
  /** 0 to CHARTS - 1. */
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
  /** Between two values. */
  readonly everyMs: number
  /** Oldest first, up to the moment of the answer. */
  readonly values: readonly number[]
}

const SHORTEST_MS = 1_000
const LONGEST_MS = 5_000

/** 1 to 5 s, the same for the same seed, wherever it is asked. */
export const figureWaitMs = ({ chart, seed }: FigureRequest): number =>
  Math.round(SHORTEST_MS + (LONGEST_MS - SHORTEST_MS) * random(seed * CHART_COUNT + chart))

/** No drawing of all can be quicker than this. */
export const longestFigureWaitMs = (seed: number): number =>
  Math.max(...Array.from({ length: CHART_COUNT }, (_, chart) => figureWaitMs({ chart, seed })))

/** In [0, 1), by mulberry32. */
function random(seed: number): number {
  let mixed = (seed + 0x6d2b79f5) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** Undefined for a question that makes no sense. */
export function readFigureRequest(value: unknown): FigureRequest | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { chart, seed } = value as Record<string, unknown>
  return isUpTo(chart, CHART_COUNT - 1) && isUpTo(seed, MAX_SEED) ? { chart, seed } : undefined
}

const isUpTo = (value: unknown, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most
