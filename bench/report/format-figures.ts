/** Numbers as text, in the same form on every page. */
import type { Spread } from '../support/stats.ts'
import type { Cell, Column } from './section.ts'

export const isSpread = (cell: Cell): cell is Spread => typeof cell === 'object' && cell !== null

/** `1,234.5`; `–` for what is no number. */
export const formatFixed = (value: number, digits = 1): string =>
  Number.isFinite(value)
    ? value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : '–'

/** Writes only as many digits as mean something: `0.0003`, `0.123`, `12.3`, `1,234`. */
export const formatShort = (value: number): string => {
  if (value !== 0 && Math.abs(value) < 0.01)
    return value.toLocaleString('en-GB', { maximumSignificantDigits: 1 })
  const digits = Math.abs(value) < 1 ? 3 : Math.abs(value) < 100 ? 2 : 0
  return Number.isFinite(value) ? value.toLocaleString('en-GB', { maximumFractionDigits: digits }) : '–'
}

/** `12.3 (11.0–14.2)`, or `12.3` if the rounds do not differ. */
export function cellText(cell: Cell, column: Column): string {
  if (cell === null) return '–'
  if (typeof cell === 'string') return cell
  if (typeof cell === 'number') return formatFixed(cell, column.digits)
  const ends = [cell.least, cell.most].map((value) => formatFixed(value, column.digits))
  const median = formatFixed(cell.median, column.digits)
  return ends[0] === ends[1] ? median : `${median} (${ends.join('–')})`
}

export const columnHead = ({ name, unit }: Column): string => (unit ? `${name}, ${unit}` : name)
