/** One page that holds everything: no script, nothing from elsewhere, light and dark, readable on a phone. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunInfo } from '../run/folder.ts'
import type { ScenarioReport } from '../run/read.ts'
import { versionWords } from '../support/versions.ts'
import { amountOf, missesOf, reasonOf, saturatedIn, verdictsOf } from './aims.ts'
import { barsOf } from './bars.ts'
import { headOf, inWords, isSpread, plain } from './figures.ts'
import { linesOf } from './lines.ts'
import { diskWords } from './reasons.ts'
import { anchor, escape } from './markup.ts'
import type { Aim, Cell, Chart, Column, Section, Table } from './section.ts'

export async function htmlOf(
  run: string,
  info: RunInfo,
  reports: readonly ScenarioReport[],
): Promise<string> {
  const style = await readFile(join(import.meta.dirname, 'page.css'), 'utf8')
  return [
    '<!doctype html>',
    '<html lang="en-GB">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Diptych, measured: ${escape(run)}</title>`,
    `<style>${style}</style>`,
    '<main>',
    '<h1>Diptych, measured</h1>',
    head(info, reports),
    ...reports.map(sectionOf),
    '</main>',
    '</html>',
    '',
  ].join('\n')
}

function head(info: RunInfo, reports: readonly ScenarioReport[]): string {
  const aims = reports.flatMap(({ section }) => section.aims)
  const reached = aims.filter((aim) => aim.reached).length
  return [
    `<dl>${factsOf(info, reports)
      .map(([name, value]) => `<dt>${name}</dt><dd>${escape(value)}</dd>`)
      .join('')}</dl>`,
    info.quick
      ? '<p class="alarm">A quick run: smaller, with fewer rounds. It shows that everything works; its figures are coarse.</p>'
      : '',
    info.finished ? '' : '<p class="alarm">This run is not finished: what is missing is said below.</p>',
    aims.length > 0 ? `<p>${reached} of ${aims.length} aims were reached.</p>` : '',
    ...missedOf(reports),
    ...headlinesOf(reports),
    '<p>Figures are medians over interleaved rounds, with the least and the most of them. Figures in <span class="published">this type</span>',
    'were published by others, who measured on their own machines: they stand beside ours for their ratios and their shape.</p>',
    `<nav aria-label="Benchmarks"><ul>${reports.map(({ name, sentence }) => `<li><a href="#${anchor(name)}">${escape(name)}</a> <small>${escape(sentence)}</small></li>`).join('')}</ul></nav>`,
  ].join('\n')
}

function missedOf(reports: readonly ScenarioReport[]): string[] {
  const missed = reports.flatMap(({ name, section }) =>
    missesOf(section).map(
      ({ what, reason }) =>
        `<li><a href="#${anchor(name)}">${escape(name)}</a>: ${escape(what)}. <small>${escape(reason)}</small></li>`,
    ),
  )
  return missed.length > 0 ? [`<h2 class="first">Missed</h2><ul>${missed.join('')}</ul>`] : []
}

function headlinesOf(reports: readonly ScenarioReport[]): string[] {
  const headlines = reports.flatMap(({ section }) => section.headlines)
  if (headlines.length === 0) return []
  const rows = headlines.map((headline) => {
    const { what, ours, beside = '', published = '', aims = [] } = headline
    const marks = saturatedIn(headline).map((mark) => ` (${mark})`)
    return [what + marks.join(''), ours, beside, published, verdictsOf(aims)]
  })
  const columns = [
    { name: '' },
    { name: 'Diptych' },
    { name: 'in the same run' },
    { name: 'published', published: true },
    { name: 'aim' },
  ]
  return [tableOf({ title: 'Headlines', columns, rows })]
}

function factsOf({ sittings }: RunInfo, reports: readonly ScenarioReport[]): [string, string][] {
  const { surroundings: at } = sittings.at(-1)!
  const before = sittings.flatMap((sitting) => sitting.fsync)
  const moments = sittings.map(({ surroundings }) => surroundings.at.slice(0, 16).replace('T', ' '))
  return [
    ['Machine', `${at.machine}, ${at.cores} cores, ${at.memoryGiB} GiB`],
    ['System', `${at.system}, Node ${at.node}, ${at.browser}`],
    ['Diptych', [at.diptych, at.commit].filter(Boolean).join(', ')],
    ...(at.versions ? [['Releases', versionWords(at.versions)] as [string, string]] : []),
    ['Begun', `${moments.join(', then ')} UTC`],
    ['Load before', sittings.map(({ loadBefore }) => loadBefore.toFixed(2)).join(', ')],
    ['The disk’s fsync', diskWords([...before, ...reports.flatMap(({ fsync }) => fsync)])],
  ]
}

function sectionOf({ name, sentence, section }: ScenarioReport): string {
  const { method, tables, charts, aims, notes }: Section = section
  return [
    `<section aria-labelledby="${anchor(name)}">`,
    `<h2 id="${anchor(name)}">${escape(name)}</h2>`,
    `<p>${escape(sentence)} <span class="note">${escape(method)}</span></p>`,
    ...(aims.length > 0 ? [`<ul class="aims">${aims.map(aimOf).join('')}</ul>`] : []),
    ...charts.map(chartOf),
    ...tables.map(tableOf),
    ...notes.map((note) => `<p class="${/^[A-Z]{6,}:/.test(note) ? 'alarm' : 'note'}">${escape(note)}</p>`),
    '</section>',
  ].join('\n')
}

function aimOf(aim: Aim): string {
  const { name, reached } = aim
  const why = reached ? '' : ` <small>${escape(reasonOf(aim))}</small>`
  const verdict = reached ? '✓ reached' : '✗ missed'
  return `<li class="${reached ? 'reached' : 'missed'}"><b>${verdict}</b><span>${escape(`${name}: ${amountOf(aim)}`)}${why}</span></li>`
}

const chartOf = (chart: Chart): string => (chart.kind === 'bars' ? barsOf(chart) : linesOf(chart))

function tableOf({ title, columns, rows, note }: Table): string {
  const heads = columns.map((column) =>
    column.name === '' ? '<td></td>' : `<th scope="col"${classOf(column)}>${escape(headOf(column))}</th>`,
  )
  const body = rows.map((row) => {
    const [name = null, ...cells] = row
    const figures = cells.map((cell, index) => cellOf(cell, columns[index + 1]!))
    return `<tr><th scope="row">${escape(inWords(name, columns[0]!))}</th>${figures.join('')}</tr>`
  })
  return [
    `<div class="wide"><table><caption>${escape(title)}</caption><thead><tr>${heads.join('')}</tr></thead>`,
    `<tbody>${body.join('')}</tbody></table></div>`,
    ...(note ? [`<p class="note">${escape(note)}</p>`] : []),
  ].join('\n')
}

const classOf = ({ published }: Column): string => (published ? ' class="published"' : '')

function cellOf(cell: Cell, column: Column): string {
  if (typeof cell === 'string')
    return `<td class="words${column.published ? ' published' : ''}">${escape(cell)}</td>`
  if (cell === null || !isSpread(cell)) return `<td${classOf(column)}>${inWords(cell, column)}</td>`
  const [least, most] = [cell.least, cell.most].map((value) => plain(value, column.digits))
  const ends = least === most ? '' : `<small>${least}–${most}</small>`
  return `<td${classOf(column)}>${plain(cell.median, column.digits)}${ends}</td>`
}
