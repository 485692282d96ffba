/** The report as one page: without scripts or other files, in light and dark, readable on a phone. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunInfo } from '../run/run-folder.ts'
import type { ScenarioReport } from '../run/read-reports.ts'
import { aimAmount, missedAims, aimReason, saturationMarks, aimVerdicts } from './aim-text.ts'
import { barChartHtml } from './bar-chart-html.ts'
import { columnHead, cellText, isSpread, formatFixed } from './format-figures.ts'
import { lineChartHtml } from './line-chart-html.ts'
import { runFacts } from './report-text.ts'
import { anchorOf, escapeHtml } from './escape-html.ts'
import type { Aim, Cell, Chart, Column, Section, Table } from './section.ts'

export async function reportHtml(
  runName: string,
  info: RunInfo,
  reports: readonly ScenarioReport[],
): Promise<string> {
  const style = await readFile(join(import.meta.dirname, 'page.css'), 'utf8')
  return [
    '<!doctype html>',
    '<html lang="en-GB">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Diptych, measured: ${escapeHtml(runName)}</title>`,
    `<style>${style}</style>`,
    '<main>',
    '<h1>Diptych, measured</h1>',
    headHtml(info, reports),
    ...reports.map(sectionHtml),
    '</main>',
    '</html>',
    '',
  ].join('\n')
}

function headHtml(info: RunInfo, reports: readonly ScenarioReport[]): string {
  const aims = reports.flatMap(({ section }) => section.aims)
  const reached = aims.filter((aim) => aim.reached).length
  return [
    `<dl>${runFacts(info, reports)
      .map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`)
      .join('')}</dl>`,
    info.quick
      ? '<p class="alarm">A quick run is smaller and has fewer rounds. It shows that everything works, and its figures are coarse.</p>'
      : '',
    info.finished
      ? ''
      : '<p class="alarm">This run is not finished. Each benchmark names its missing trials below.</p>',
    aims.length > 0 ? `<p>${reached} of ${aims.length} aims were reached.</p>` : '',
    ...missedHtml(reports),
    ...headlinesHtml(reports),
    '<p>Figures are medians over interleaved rounds, with the least and the most. Figures in <span class="published">this type</span>',
    'were published by others, who measured on their own machines. Compare their ratios and their shape with ours, not their size.</p>',
    `<nav aria-label="Benchmarks"><ul>${reports.map(({ name, sentence }) => `<li><a href="#${anchorOf(name)}">${escapeHtml(name)}</a> <small>${escapeHtml(sentence)}</small></li>`).join('')}</ul></nav>`,
  ].join('\n')
}

function missedHtml(reports: readonly ScenarioReport[]): string[] {
  const missed = reports.flatMap(({ name, section }) =>
    missedAims(section).map(
      ({ what, reason }) =>
        `<li><a href="#${anchorOf(name)}">${escapeHtml(name)}</a>: ${escapeHtml(what)}. <small>${escapeHtml(reason)}</small></li>`,
    ),
  )
  return missed.length > 0 ? [`<h2 class="first">Missed</h2><ul>${missed.join('')}</ul>`] : []
}

function headlinesHtml(reports: readonly ScenarioReport[]): string[] {
  const headlines = reports.flatMap(({ section }) => section.headlines)
  if (headlines.length === 0) return []
  const rows = headlines.map((headline) => {
    const { what, ours, beside = '', published = '', aims = [] } = headline
    const marks = saturationMarks(headline).map((mark) => ` (${mark})`)
    return [what + marks.join(''), ours, beside, published, aimVerdicts(aims)]
  })
  const columns = [
    { name: '' },
    { name: 'Diptych' },
    { name: 'in the same run' },
    { name: 'published', published: true },
    { name: 'aim' },
  ]
  return [tableHtml({ title: 'Headlines', columns, rows })]
}

function sectionHtml({ name, sentence, section }: ScenarioReport): string {
  const { method, tables, charts, aims, notes }: Section = section
  return [
    `<section aria-labelledby="${anchorOf(name)}">`,
    `<h2 id="${anchorOf(name)}">${escapeHtml(name)}</h2>`,
    `<p>${escapeHtml(sentence)} <span class="note">${escapeHtml(method)}</span></p>`,
    ...(aims.length > 0 ? [`<ul class="aims">${aims.map(aimHtml).join('')}</ul>`] : []),
    ...charts.map(chartHtml),
    ...tables.map(tableHtml),
    ...notes.map(
      (note) => `<p class="${/^[A-Z]{6,}:/.test(note) ? 'alarm' : 'note'}">${escapeHtml(note)}</p>`,
    ),
    '</section>',
  ].join('\n')
}

function aimHtml(aim: Aim): string {
  const { name, reached } = aim
  const why = reached ? '' : ` <small>${escapeHtml(aimReason(aim))}</small>`
  const verdict = reached ? '✓ reached' : '✗ missed'
  return `<li class="${reached ? 'reached' : 'missed'}"><b>${verdict}</b><span>${escapeHtml(`${name}: ${aimAmount(aim)}`)}${why}</span></li>`
}

const chartHtml = (chart: Chart): string =>
  chart.kind === 'bars' ? barChartHtml(chart) : lineChartHtml(chart)

function tableHtml({ title, columns, rows, note }: Table): string {
  const heads = columns.map((column) =>
    column.name === ''
      ? '<td></td>'
      : `<th scope="col"${classOf(column)}>${escapeHtml(columnHead(column))}</th>`,
  )
  const body = rows.map((row) => {
    const [name = null, ...cells] = row
    const figures = cells.map((cell, index) => cellHtml(cell, columns[index + 1]!))
    return `<tr><th scope="row">${escapeHtml(cellText(name, columns[0]!))}</th>${figures.join('')}</tr>`
  })
  return [
    `<div class="wide"><table><caption>${escapeHtml(title)}</caption><thead><tr>${heads.join('')}</tr></thead>`,
    `<tbody>${body.join('')}</tbody></table></div>`,
    ...(note ? [`<p class="note">${escapeHtml(note)}</p>`] : []),
  ].join('\n')
}

const classOf = ({ published }: Column): string => (published ? ' class="published"' : '')

function cellHtml(cell: Cell, column: Column): string {
  if (typeof cell === 'string')
    return `<td class="words${column.published ? ' published' : ''}">${escapeHtml(cell)}</td>`
  if (cell === null || !isSpread(cell)) return `<td${classOf(column)}>${cellText(cell, column)}</td>`
  const [least, most] = [cell.least, cell.most].map((value) => formatFixed(value, column.digits))
  const ends = least === most ? '' : `<small>${least}–${most}</small>`
  return `<td${classOf(column)}>${formatFixed(cell.median, column.digits)}${ends}</td>`
}
