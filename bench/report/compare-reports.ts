/** Compares the reports of two runs figure by figure. Figures are matched by name, whatever their order. */
import type { ScenarioReport } from '../run/read-reports.ts'
import { columnHead, isSpread, formatShort } from './format-figures.ts'
import type { Cell, Column, Table } from './section.ts'

export interface FigureDifference {
  readonly scenario: string
  readonly table: string
  readonly row: string
  readonly column: string
  readonly before: number
  readonly after: number
  /** after ÷ before */
  readonly ratio: number
  /** Whether all rounds of one run lie beyond all rounds of the other; undefined if one of them has a single round. */
  readonly apart: boolean | undefined
  /** Whether the figure is better than before; undefined if the metric does not say which way is better. */
  readonly improved: boolean | undefined
}

/** Leaves out what only one run has, text, and figures that others published. */
export function compareReports(
  before: readonly ScenarioReport[],
  after: readonly ScenarioReport[],
): FigureDifference[] {
  return after.flatMap(({ name, section }) => {
    const tables = before.find((report) => report.name === name)?.section.tables ?? []
    return section.tables.flatMap((table) => {
      const former = tables.find(({ title }) => title === table.title)
      return former ? compareTables(name, former, table) : []
    })
  })
}

function compareTables(scenario: string, before: Table, after: Table): FigureDifference[] {
  return after.rows.flatMap((row) => {
    const former = before.rows.find(([name]) => name === row[0])
    if (!former) return []
    return after.columns.flatMap((column, index) => {
      const at = before.columns.findIndex(({ name, unit }) => name === column.name && unit === column.unit)
      const [one, other] = [rangeOf(former[at], column, index), rangeOf(row[index], column, index)]
      if (!one || !other || !Number.isFinite(one.median) || !Number.isFinite(other.median)) return []
      return {
        scenario,
        table: after.title,
        row: row[0] as string,
        column: columnHead(column),
        before: one.median,
        after: other.median,
        ratio: other.median / one.median,
        apart: one.spread && other.spread ? one.most < other.least || other.most < one.least : undefined,
        improved: isImproved(column, one.median, other.median),
      }
    })
  })
}

function isImproved({ better = 'neither' }: Column, before: number, after: number): boolean | undefined {
  return better === 'neither' ? undefined : (better === 'less') === after < before
}

function rangeOf(cell: Cell | undefined, { published }: Column, index: number) {
  if (cell == null || typeof cell === 'string' || published || index === 0) return undefined
  return isSpread(cell)
    ? { ...cell, spread: cell.least !== cell.most }
    : { median: cell, least: cell, most: cell, spread: false }
}

function verdictOf({ apart, improved }: FigureDifference): string {
  if (!apart) return apart === undefined ? '' : 'ranges overlap'
  return improved === undefined ? 'apart' : `apart, ${improved ? 'better' : 'worse'}`
}

export function differencesText(differences: readonly FigureDifference[]): string {
  const tables = Map.groupBy(differences, ({ scenario, table }) => `${scenario}: ${table}`)
  const width = Math.max(0, ...differences.map((difference) => figureName(difference).length))
  return [...tables]
    .flatMap(([title, own]) => [title, ...own.map((difference) => differenceLine(difference, width)), ''])
    .join('\n')
}

const figureName = ({ row, column }: FigureDifference): string => `${row}, ${column}`

function differenceLine(difference: FigureDifference, width: number): string {
  const { before, after, ratio } = difference
  const figures = `${formatShort(before).padStart(10)} → ${formatShort(after).padStart(10)}`
  const times = Number.isFinite(ratio) ? `${ratio.toFixed(2)} ×` : ''
  return `  ${figureName(difference).padEnd(width)}${figures}  ${times.padStart(9)}  ${verdictOf(difference)}`.trimEnd()
}
