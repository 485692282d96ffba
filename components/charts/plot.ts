/** A chart on a canvas, loaded with the first chart that is shown. Knows uPlot and the page's colours; knows no React. */
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { AlignedLines } from './align-lines.ts'
import { lineStyle } from './line-style.ts'

/** The marks of the y axis, all in one unit. */
export interface AxisMarks {
  /** The least that two marks are apart, and the least that the axis spans: a power of ten. */
  readonly step: number
  /** @param highest The highest mark. */
  readonly text: (y: number, highest: number) => string
}

export interface PlotOptions {
  readonly kind: 'lines' | 'bars'
  readonly names: readonly string[]
  /** The label of a mark on the x axis. */
  readonly xText: (x: number) => string
  readonly yText: (y: number) => string
  /** Without it marks are where they fit, with `yText`. */
  readonly yMarks?: AxisMarks | undefined
  /** Where the axis begins and ends, whatever was measured. */
  readonly xRange?: readonly [number, number] | undefined
  /** The only positions that get a mark. */
  readonly xMarks?: readonly number[] | undefined
  readonly height: number
  /** The pointer is over this index of the axis; null if it is over none. */
  readonly onHover: (index: number | null) => void
}

export interface Plot {
  draw(data: AlignedLines): void
  /** Removes the chart from the page. */
  destroy(): void
}

/** @param readOptions Called at each drawing, because marks and labels depend on the data. */
export function createPlot(element: HTMLElement, readOptions: () => PlotOptions): Plot {
  const { names, height } = readOptions()
  const chart = new uPlot(optionsOf(element, readOptions), [[], ...names.map(() => [])], element)
  const size = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
  // A canvas does not notice a change of theme.
  const theme = new MutationObserver(() => chart.redraw())
  size.observe(element)
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return {
    draw: ({ x, lines }) => chart.setData([[...x], ...lines.map((line) => [...line])]),
    destroy() {
      size.disconnect()
      theme.disconnect()
      chart.destroy()
    },
  }
}

const colour = (property: string) => (): string =>
  getComputedStyle(document.documentElement).getPropertyValue(property)

function optionsOf(element: HTMLElement, readOptions: () => PlotOptions): uPlot.Options {
  const { kind, names, xMarks, yMarks, height } = readOptions()
  const font = `12px ${getComputedStyle(element).fontFamily}`
  const axis = { font, stroke: colour('--muted'), grid: { stroke: colour('--line'), width: 1 } }
  return {
    width: element.clientWidth,
    height,
    padding: [8, 14, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: scalesOf(readOptions()),
    axes: [
      {
        ...axis,
        size: 34,
        // The leftmost mark would otherwise touch the lowest one of the y axis.
        gap: 9,
        ticks: { show: false },
        values: (_, marks) => marks.map(readOptions().xText),
        ...(xMarks && { splits: () => [...(readOptions().xMarks ?? [])] }),
      },
      {
        ...axis,
        size: 62,
        ticks: { show: false },
        values: (_, marks) => textsOfMarks(marks, readOptions()),
        ...(yMarks && { incrs: distancesFrom(yMarks.step) }),
      },
    ],
    series: [{}, ...names.map((name, index) => seriesOf(name, index, kind))],
    hooks: { setCursor: [({ cursor }) => readOptions().onHover(cursor.idx ?? null)] },
  }
}

function textsOfMarks(
  marks: readonly number[],
  { yText, yMarks }: Pick<PlotOptions, 'yText' | 'yMarks'>,
): string[] {
  const highest = marks.at(-1) ?? 0
  return marks.map((y) => (yMarks ? yMarks.text(y, highest) : yText(y)))
}

/** One, two and five, and their tenfolds: a quarter of something would need one more digit. */
function distancesFrom(step: number): number[] {
  const powers = Array.from({ length: 13 }, (_, power) => step * 10 ** power)
  return powers.flatMap((power) => [power, 2 * power, 5 * power])
}

function scalesOf({ kind, xRange, yMarks }: PlotOptions): uPlot.Scales {
  // A bar extends as far to the left of its position as to the right.
  const margin = kind === 'bars' ? 0.5 : 0
  return {
    x: {
      time: false,
      range: xRange ? [...xRange] : (_, min, max) => [min - margin, max + margin],
    },
    // The axis starts at zero, so that twice as high means twice as long.
    y: { range: (_, __, max) => [0, Math.max(max * 1.1, yMarks?.step ?? 0) || 1] },
  }
}

function seriesOf(label: string, index: number, kind: PlotOptions['kind']): uPlot.Series {
  const { property, dash } = lineStyle(index)
  const stroke = colour(property)
  if (kind === 'bars')
    return {
      label,
      fill: stroke,
      stroke,
      width: 0,
      points: { show: false },
      paths: uPlot.paths.bars!({ size: [0.84, 64] }),
    }
  return { label, stroke, width: 2, dash: [...dash], spanGaps: true, points: { size: 6, fill: stroke } }
}
