/** Draws a bar chart in plain HTML. Labels and values are text, and the chart is as wide as the page allows. */
import { isSpread, formatShort } from './format-figures.ts'
import { escapeHtml } from './escape-html.ts'
import { axisScale, type AxisScale } from './axis-scale.ts'
import type { BarChart } from './section.ts'

type Series = BarChart['series'][number]
type Value = Series['values'][number]

export function barChartHtml({ title, unit, scale: kind, groups, series }: BarChart): string {
  const scale = axisScale(
    series.flatMap(({ values }) => values.flatMap((value) => endsOf(value))),
    kind,
  )
  const isGrouped = series.length > 1
  const items = groups.map((group, index) => {
    const bars = series.map((one, number) => {
      const value = one.values[index] ?? null
      // Many empty bars in a group would hide the few that have a value.
      if (isGrouped && value === null) return ''
      return barHtml(isGrouped ? one.name : group, value, { ...one, color: number % 8, scale })
    })
    return isGrouped ? `<h3>${escapeHtml(group)}</h3>${listOf(bars)}` : bars.join('')
  })
  const unitText = kind === 'log' ? `${unit}, logarithmic` : unit
  return `<figure class="bars"><figcaption>${escapeHtml(title)} <small>${escapeHtml(unitText)}</small></figcaption>${isGrouped ? items.join('') : listOf(items)}</figure>`
}

const listOf = (items: readonly string[]): string => `<ul>${items.join('')}</ul>`

const endsOf = (value: Value): number[] =>
  value === null ? [] : isSpread(value) ? [value.median, value.least, value.most] : [value]

interface BarStyle extends Pick<Series, 'published'> {
  readonly color: number
  readonly scale: AxisScale
}

function barHtml(name: string, value: Value, { published, color, scale }: BarStyle): string {
  const label = published ? `${escapeHtml(name)} <small>published</small>` : escapeHtml(name)
  const kind = published ? ' class="published"' : ''
  const [median = Number.NaN, least = median, most = median] = endsOf(value)
  if (!Number.isFinite(median)) return `<li${kind}><span>${label}</span><i></i><b>–</b></li>`
  const at = (figure: number): string => `${(100 * Math.min(1, Math.max(0, scale.at(figure)))).toFixed(2)}%`
  const whisker = least < most ? `<u style="left:${at(least)};right:calc(100% - ${at(most)})"></u>` : ''
  const bar = `<s class="c${color}" style="width:${at(median)}"></s>`
  return `<li${kind}><span>${label}</span><i>${bar}${whisker}</i><b>${formatShort(median)}</b></li>`
}
