'use client'

import { Table2 } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { scrollableProps } from '@/components/ui/scrollable-props.ts'
import { chartsStrings } from '@/lib/strings/charts.ts'
import { alignLines, type ChartPoint } from './align-lines.ts'
import { lineStyle } from './line-style.ts'
import type { Plot, PlotOptions } from './plot.ts'

export interface ChartLine {
  readonly name: string
  readonly points: readonly ChartPoint[]
}

/** The chart's data as a table. The first column names the row. */
export interface ChartTable {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

type Axes = Pick<PlotOptions, 'kind' | 'xText' | 'yText' | 'yMarks' | 'xRange' | 'xMarks'>

interface ChartProps extends Axes {
  readonly title: string
  /** Says what is measured and how to read it. */
  readonly sentence: string
  readonly lines: readonly ChartLine[]
  readonly table: ChartTable
  /** Shown while there is nothing to draw. */
  readonly empty: string
  readonly height?: number
  /** Controls that choose what the chart shows. */
  readonly children?: ReactNode
}

/** A chart with its table. The table is visible on request, and always there for people who cannot see the chart. */
export function Chart(props: ChartProps) {
  const { title, sentence, lines, table, empty, height = 180, children, ...axes } = props
  const id = useId()
  const [asTable, setAsTable] = useState(false)
  const isEmpty = lines.every(({ points }) => points.length === 0)
  return (
    <figure aria-labelledby={id} className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1">
        <h3 id={id} className="min-w-40 flex-1 text-sm font-semibold">
          {title}
        </h3>
        {children}
        {!isEmpty && (
          <Button
            look="quiet"
            shape="small"
            aria-label={chartsStrings.tableOf(title)}
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
            className={asTable ? 'bg-sunk' : ''}
          >
            <Table2 size={15} aria-hidden /> {chartsStrings.table}
          </Button>
        )}
      </div>
      <figcaption className="text-sm text-muted">{isEmpty ? empty : sentence}</figcaption>
      {!isEmpty && !asTable && <ChartCanvas lines={lines} height={height} {...axes} />}
      {!isEmpty && <ChartTableView table={table} labelledBy={id} isShown={asTable} />}
    </figure>
  )
}

interface ChartCanvasProps extends Axes {
  readonly lines: readonly ChartLine[]
  readonly height: number
}

/** Hidden from screen readers, because the table says the same. */
function ChartCanvas({ lines, height, ...axes }: ChartCanvasProps) {
  const [hoveredIndex, setHoveredIndex] = useState<number | null>(null)
  const data = useMemo(() => alignLines(lines.map(({ points }) => points)), [lines])
  const containerRef = usePlot(data, {
    ...axes,
    height,
    names: lines.map(({ name }) => name),
    onHover: setHoveredIndex,
  })
  const x = hoveredIndex === null ? undefined : data.x[hoveredIndex]
  return (
    <div aria-hidden>
      <ul className="mb-1 flex min-h-5 flex-wrap gap-x-4 text-xs text-muted tabular-nums">
        {lines.map(({ name }, index) => (
          <li key={index} className="flex items-center gap-1.5">
            <LineSwatch index={index} kind={axes.kind} />
            <span className="min-w-0 break-words">{name}</span>
            {hoveredIndex !== null && (
              <span className="text-ink">{textAt(data.lines[index]?.[hoveredIndex], axes.yText)}</span>
            )}
          </li>
        ))}
        {x !== undefined && <li>{chartsStrings.at(axes.xText(x))}</li>}
      </ul>
      <div ref={containerRef} style={{ height }} />
    </div>
  )
}

const textAt = (value: number | null | undefined, text: (y: number) => string): string =>
  value === null || value === undefined ? '' : text(value)

/** Recreates the plot when the set of lines changes: names and dashes belong to it, and its number of lines is fixed. */
function usePlot(data: ReturnType<typeof alignLines>, options: PlotOptions) {
  const containerRef = useRef<HTMLDivElement>(null)
  const latest = useRef(options)
  const [drawn, setDrawn] = useState<{ readonly plot: Plot; readonly names: string }>()
  const names = options.names.join('\n')
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    let created: Plot | undefined
    let isGone = false
    const start = async () => {
      const { createPlot } = await import('./plot.ts')
      if (isGone || !containerRef.current) return
      created = createPlot(containerRef.current, () => latest.current)
      setDrawn({ plot: created, names })
    }
    start().catch(() => undefined) // the table says the same
    return () => {
      isGone = true
      created?.destroy()
      setDrawn(undefined)
    }
  }, [names])
  useEffect(() => {
    if (drawn?.names === names) drawn.plot.draw(data)
  }, [drawn, names, data])
  return containerRef
}

function LineSwatch({ index, kind }: { index: number; kind: 'lines' | 'bars' }) {
  const { property, dash } = lineStyle(index)
  const stroke = `var(${property})`
  return (
    <svg width={22} height={10} aria-hidden className="shrink-0">
      {kind === 'lines' ? (
        <line x1={0} x2={22} y1={5} y2={5} stroke={stroke} strokeWidth={2} strokeDasharray={dash.join(' ')} />
      ) : (
        <rect x={6} width={10} height={10} rx={2} fill={stroke} />
      )}
    </svg>
  )
}

interface ChartTableViewProps {
  readonly table: ChartTable
  readonly labelledBy: string
  readonly isShown: boolean
}

function ChartTableView({ table: { head, rows }, labelledBy, isShown }: ChartTableViewProps) {
  return (
    <div
      className={isShown ? 'overflow-x-auto' : 'sr-only'}
      {...(isShown && scrollableProps(chartsStrings.figures))}
    >
      <table
        aria-labelledby={labelledBy}
        className="w-full text-left text-sm tabular-nums [&_td]:py-1 [&_td]:pl-4 [&_td]:text-right [&_th]:py-1 [&_th]:font-normal [&_thead_th]:text-muted [&_thead_th:not(:first-child)]:pl-4 [&_thead_th:not(:first-child)]:text-right"
      >
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], row) => (
            <tr key={row} className="border-t border-line">
              <th scope="row">{name}</th>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
