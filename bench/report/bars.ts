/** A bar chart of plain HTML: its labels and values are text, and it is as wide as there is room. */
import { isSpread, short } from './figures.ts'
import { escape } from './markup.ts'
import { scaleOf, type Scale } from './scale.ts'
import type { BarChart } from './section.ts'

type Series = BarChart['series'][number]
type Value = Series['values'][number]

export function barsOf({ title, unit, scale: kind, groups, series }: BarChart): string {
  const scale = scaleOf(
    series.flatMap(({ values }) => values.flatMap((value) => endsOf(value))),
    kind,
  )
  const many = series.length > 1
  const items = groups.map((group, index) => {
    const bars = series.map((one, number) =>
      // Of many side by side, those that do not exist there would bury those that do.
      many && one.values[index] == null ? '' : barOf(many ? one.name : group, one, number, index, scale),
    )
    return many ? `<h3>${escape(group)}</h3>${listOf(bars)}` : bars.join('')
  })
  const words = kind === 'log' ? `${unit}, logarithmic` : unit
  return `<figure class="bars"><figcaption>${escape(title)} <small>${escape(words)}</small></figcaption>${many ? items.join('') : listOf(items)}</figure>`
}

const listOf = (items: readonly string[]): string => `<ul>${items.join('')}</ul>`

const endsOf = (value: Value): number[] =>
  value === null ? [] : isSpread(value) ? [value.median, value.least, value.most] : [value]

function barOf(
  name: string,
  { values, published }: Series,
  number: number,
  index: number,
  scale: Scale,
): string {
  const value = values[index] ?? null
  const label = published ? `${escape(name)} <small>published</small>` : escape(name)
  const kind = published ? ' class="published"' : ''
  if (value === null || !Number.isFinite(isSpread(value) ? value.median : value))
    return `<li${kind}><span>${label}</span><i></i><b>–</b></li>`
  const at = (figure: number): string => `${(100 * Math.min(1, Math.max(0, scale.at(figure)))).toFixed(2)}%`
  const median = isSpread(value) ? value.median : value
  const whisker =
    isSpread(value) && value.least < value.most
      ? `<u style="left:${at(value.least)};right:calc(100% - ${at(value.most)})"></u>`
      : ''
  const bar = `<s class="c${number % 8}" style="width:${at(median)}"></s>`
  return `<li${kind}><span>${label}</span><i>${bar}${whisker}</i><b>${short(median)}</b></li>`
}
