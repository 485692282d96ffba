/** Makes tables and charts of rows and the figures that they show. */
import type { Spread } from '../support/stats.ts'
import type { Params } from '../support/trial.ts'
import { columnHead } from './format-figures.ts'
import type { Figure, Metric, Rounds, Row } from './metrics.ts'
import type { Axis, BarChart, Cell, LineChart, Table } from './section.ts'

interface TableOptions {
  /** The heading of the first column, which has the rows' names. */
  readonly head?: string
  readonly note?: string | undefined
}

/** Undefined if there are no rows. */
export function table<R extends Row>(
  title: string,
  rows: readonly R[],
  figures: readonly Figure<R>[],
  { head = '', note }: TableOptions = {},
): Table | undefined {
  if (rows.length === 0) return undefined
  return {
    title,
    columns: [{ name: head }, ...figures.map(({ of: _, ...column }) => column)],
    rows: rows.map((row) => [row.name, ...figures.map((figure) => figure.of(row))]),
    ...(note && { note }),
  }
}

/** A table with a row for each metric, all of the same rounds. */
export const figuresTable = <Of extends Params, Data>(
  title: string,
  rounds: Rounds<Of, Data>,
  metrics: readonly Metric<Of, Data>[],
  digits: number,
): Table | undefined =>
  table(
    title,
    metrics.map((one) => ({ name: columnHead(one), metric: one })),
    [{ name: 'figure', digits, of: (row) => row.metric.of(rounds) }],
    { head: 'what' },
  )

/** A chart with a group for each row and a bar in it for each figure. Undefined if there are no rows. */
export function barChart<R extends Row>(
  title: string,
  rows: readonly R[],
  figures: readonly Figure<R>[],
  { unit = figures[0]?.unit ?? '', scale }: { readonly unit?: string; readonly scale?: 'log' } = {},
): BarChart | undefined {
  if (rows.length === 0) return undefined
  return {
    kind: 'bars',
    title,
    unit,
    ...(scale && { scale }),
    groups: rows.map(({ name }) => name),
    series: figures.map((figure) => ({
      name: figure.name,
      values: rows.map((row) => barValue(figure.of(row))),
      ...(figure.published && { published: true }),
    })),
  }
}

const barValue = (cell: Cell): Spread | number | null => (typeof cell === 'string' ? null : cell)

/** A chart with a line for each row. */
export const lineChart = <R extends Row>(
  title: string,
  { x, y }: { readonly x: Axis; readonly y: Axis },
  rows: readonly R[],
  pointsOf: (row: R) => readonly (readonly [x: number, y: number])[],
): LineChart => ({
  kind: 'lines',
  title,
  x,
  y,
  series: rows.map((row) => ({ name: row.name, points: pointsOf(row) })),
})
