export interface AxisScale {
  /** Returns the place of a value on the axis, from 0 to 1. NaN for a value that has no logarithm. */
  at(value: number): number
  /** The values that are written beside the axis. */
  readonly ticks: readonly number[]
}

export function axisScale(values: readonly number[], kind: 'linear' | 'log' = 'linear'): AxisScale {
  const shown = values.filter((value) => Number.isFinite(value) && (kind === 'linear' || value > 0))
  return kind === 'linear' ? linearScale(shown) : logScale(shown)
}

const TICKS = 5

/** Begins at zero, or below it for negative values, and ends at a round number. */
function linearScale(values: readonly number[]): AxisScale {
  const least = Math.min(0, ...values)
  const most = Math.max(0, ...values) || (least < 0 ? 0 : 1)
  const step = roundStep((most - least) / TICKS)
  const first = Math.floor(least / step)
  const count = Math.ceil(most / step - 1e-9) - first
  // A tick is a multiple of the step and no sum of steps, because 3 × 0.1 differs from 0.1 + 0.1 + 0.1.
  const ticks = Array.from({ length: count + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
  return { at: (value) => (value - first * step) / (count * step), ticks }
}

/** Returns 1, 2 or 5 times a power of ten, the first that is not below `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 5].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power
}

/** Spans whole decades, with ticks at 2 and 5 if there are at most three. */
function logScale(values: readonly number[]): AxisScale {
  const from = values.length > 0 ? Math.floor(Math.log10(Math.min(...values))) : 0
  const to = Math.max(from + 1, values.length > 0 ? Math.ceil(Math.log10(Math.max(...values))) : 1)
  const factors = to - from > 3 ? [1] : [1, 2, 5]
  const decades = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const ticks = decades.flatMap((decade) => factors.map((factor) => Number(`${factor}e${decade}`)))
  return {
    at: (value) => (value > 0 ? (Math.log10(value) - from) / (to - from) : Number.NaN),
    ticks: ticks.filter((tick) => tick <= 10 ** to),
  }
}
