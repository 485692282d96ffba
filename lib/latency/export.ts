/** Samples as files that other programs read: one row for each edit and window, and everything as JSON. */
import type { Arrival, Samples, Timeline } from './state.ts'

type Cell = string | number | undefined

/** Spans count from the key; units stand in the header. */
const columns = [
  'edit',
  'key (ms since 1970)',
  'by',
  'made (ms)',
  'own paint (ms)',
  'sent (ms)',
  'acknowledged (ms)',
  'saved (ms)',
  'refused',
  'window',
  'window name',
  'person',
  'path',
  'received (ms)',
  'applied (ms)',
  'painted (ms)',
  'bound (± ms)',
]

/** An edit that no other window told of has one row, without those columns. */
export function toCsv({ edits, windows }: Samples): string {
  const known = new Map(windows.map((window) => [window.id, window]))
  const rows = edits.flatMap((edit) =>
    edit.arrivals.length === 0
      ? [[...own(edit), ...columns.slice(9).map(() => undefined)]]
      : edit.arrivals.map((arrival) => {
          const { name, person } = known.get(arrival.window) ?? {}
          return [...own(edit), arrival.window, name, person, ...elsewhere(arrival)]
        }),
  )
  return [columns, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

export const toJson = (samples: Samples): string =>
  JSON.stringify({ format: 'diptych latency samples', version: 1, unit: 'ms', ...samples }, null, 2)

const own = (edit: Timeline): Cell[] => [
  edit.edit,
  edit.key,
  edit.by,
  edit.made,
  edit.ownPaint,
  edit.sent,
  edit.acknowledged,
  edit.saved,
  edit.refused && 'refused',
]

const elsewhere = ({ path, received, applied, painted, boundMs }: Arrival): Cell[] => [
  path,
  received,
  applied,
  painted,
  boundMs,
]

/** As RFC 4180. A name that a spreadsheet would take for a formula is kept a text by an apostrophe. */
function cellOf(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(Math.round(cell * 1000) / 1000)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
