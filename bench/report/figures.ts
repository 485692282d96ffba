/** Numbers as words, alike on every page. */
import type { Spread } from '../support/stats.ts'
import type { Cell, Column } from './section.ts'

export const isSpread = (cell: Cell): cell is Spread => typeof cell === 'object' && cell !== null

/** `12.3`, with thousands apart; `–` where there is no number. */
export const plain = (value: number, digits = 1): string =>
  Number.isFinite(value)
    ? value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : '–'

/** No more digits than tell something: `0.0003`, `0.123`, `12.3`, `1,234`. */
export const short = (value: number): string => {
  if (value !== 0 && Math.abs(value) < 0.01)
    return value.toLocaleString('en-GB', { maximumSignificantDigits: 1 })
  const digits = Math.abs(value) < 1 ? 3 : Math.abs(value) < 100 ? 2 : 0
  return Number.isFinite(value) ? value.toLocaleString('en-GB', { maximumFractionDigits: digits }) : '–'
}

export function inWords(cell: Cell, column: Column): string {
  if (cell === null) return '–'
  if (typeof cell === 'string') return cell
  if (typeof cell === 'number') return plain(cell, column.digits)
  const ends = [cell.least, cell.most].map((value) => plain(value, column.digits))
  const median = plain(cell.median, column.digits)
  return ends[0] === ends[1] ? median : `${median} (${ends.join('–')})`
}

export const headOf = ({ name, unit }: Column): string => (unit ? `${name}, ${unit}` : name)
