/** Draws a line chart as SVG, and its points as a table for readers who cannot see it. Lines differ by dash and mark as well as by colour. */
import { formatShort } from './format-figures.ts'
import { escapeHtml } from './escape-html.ts'
import { axisScale } from './axis-scale.ts'
import type { Axis, LineChart } from './section.ts'

const WIDTH = 720
const HEIGHT = 360
const LEFT = 64
const BOTTOM = 44
/** Leaves room for the name of the axis. */
const TOP = 30
const EDGE = 12

type Series = LineChart['series'][number]
type Point = readonly [number, number]
/** Turns a point of the data into a point of the drawing. */
type Place = (point: Point) => Point

export function lineChartHtml(chart: LineChart): string {
  const { title, x, y, series } = chart
  const valuesOf = (axis: 0 | 1) => series.flatMap(({ points }) => points.map((point) => point[axis]))
  const scaleX = axisScale(valuesOf(0), x.scale)
  const scaleY = axisScale(valuesOf(1), y.scale)
  const place: Place = ([a, b]) => [
    LEFT + scaleX.at(a) * (WIDTH - LEFT - EDGE),
    HEIGHT - BOTTOM - scaleY.at(b) * (HEIGHT - BOTTOM - TOP),
  ]
  const drawing = [
    ...scaleY.ticks.map((tick) => tickHtml(tick, place([scaleX.ticks[0]!, tick]), 'y')),
    ...scaleX.ticks.map((tick) => tickHtml(tick, place([tick, scaleY.ticks[0]!]), 'x')),
    `<text class="axis" x="${WIDTH - EDGE}" y="${HEIGHT - 6}" text-anchor="end">${escapeHtml(axisTitle(x))}</text>`,
    `<text class="axis" x="4" y="14">${escapeHtml(axisTitle(y))}</text>`,
    ...series.map((one, index) => lineHtml(one, index, place)),
  ]
  const label = `${title}: ${series.map(({ name }) => name).join(', ')}. The figures follow as a table.`
  return [
    `<figure class="lines"><figcaption>${escapeHtml(title)}</figcaption>`,
    `<div class="wide"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(label)}">${drawing.join('')}</svg></div>`,
    `<ul class="legend">${series.map(legendHtml).join('')}</ul>`,
    `<details><summary>As a table</summary>${pointsTable(chart)}</details></figure>`,
  ].join('')
}

const axisTitle = ({ name, unit, scale }: Axis): string =>
  [name, unit, scale === 'log' ? 'logarithmic' : ''].filter(Boolean).join(', ')

function tickHtml(tick: number, [left, top]: Point, axis: 'x' | 'y'): string {
  return axis === 'y'
    ? `<line x1="${LEFT}" x2="${WIDTH - EDGE}" y1="${top.toFixed(1)}" y2="${top.toFixed(1)}"/><text x="${LEFT - 6}" y="${(top + 4).toFixed(1)}" text-anchor="end">${formatShort(tick)}</text>`
    : `<text x="${left.toFixed(1)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${formatShort(tick)}</text>`
}

const dashes = ['', '7 3', '2 3', '9 3 2 3'] as const
const marks = [
  'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z',
  'M-4-4h8v8h-8z',
  'M0-5l5 9h-10z',
  'M0-5l5 5l-5 5l-5-5z',
  'M-5-4h10l-5 9z',
] as const

const styleOf = (index: number): string =>
  `class="c${index % 8}" stroke-dasharray="${dashes[index % dashes.length]}"`

const markOf = (index: number): string => marks[index % marks.length]!

function lineHtml({ points }: Series, index: number, place: Place): string {
  const placed = points.map(place).filter((point) => point.every(Number.isFinite))
  const path = placed.map((point) => point.map((value) => value.toFixed(1)).join(',')).join(' ')
  const dots = placed.map(
    ([left, top]) =>
      `<path class="c${index % 8} mark" d="${markOf(index)}" transform="translate(${left.toFixed(1)} ${top.toFixed(1)})"/>`,
  )
  return `<polyline ${styleOf(index)} points="${path}"/>${placed.length <= 40 ? dots.join('') : ''}`
}

const legendHtml = ({ name, published }: Series, index: number): string =>
  `<li><svg viewBox="0 0 36 12" aria-hidden="true"><polyline ${styleOf(index)} points="0,6 36,6"/><path class="c${index % 8} mark" d="${markOf(index)}" transform="translate(18 6)"/></svg>${escapeHtml(name)}${published ? ' <small>published</small>' : ''}</li>`

function pointsTable({ x, series }: LineChart): string {
  const places = [...new Set(series.flatMap(({ points }) => points.map(([place]) => place)))].toSorted(
    (a, b) => a - b,
  )
  const head = [axisTitle(x), ...series.map(({ name }) => name)].map(
    (name) => `<th scope="col">${escapeHtml(name)}</th>`,
  )
  const rows = places.map((place) => {
    const cells = series.map(({ points }) => points.find(([at]) => at === place)?.[1])
    const figures = cells.map((value) => `<td>${value === undefined ? '–' : formatShort(value)}</td>`)
    return `<tr><th scope="row">${formatShort(place)}</th>${figures.join('')}</tr>`
  })
  return `<div class="wide"><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}
