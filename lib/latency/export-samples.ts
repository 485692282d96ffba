/** Exports samples as files for other programs: one row for each edit and window, or everything as JSON. */
import type { EditArrival, LatencySamples, EditTimeline } from './latency-state.ts'

type Cell = string | number | undefined

/** Spans count from the key; the header has the units. Newer columns stand at the end, because programs may count columns. */
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
  'transport',
  'protocol',
  'way up',
  'simulated',
  'made in',
  'document',
]

/** An edit that no other window reported has one row, without those columns. */
export function samplesToCsv({ edits, windows, window: author, document }: LatencySamples): string {
  const windowsById = new Map(windows.map((window) => [window.id, window]))
  const rows = edits.flatMap((edit) => {
    const arrivals = edit.arrivals.length > 0 ? edit.arrivals : [undefined]
    return arrivals.map((arrival) => [
      ...ownCells(edit),
      ...arrivalCells(arrival, arrival && windowsById.get(arrival.window)),
      ...linkCells(edit),
      author,
      document,
    ])
  })
  return [columns, ...rows].map((row) => `${row.map(csvCellOf).join(',')}\r\n`).join('')
}

export const samplesToJson = (samples: LatencySamples): string =>
  JSON.stringify({ format: 'diptych latency samples', version: 2, unit: 'ms', ...samples }, null, 2)

const ownCells = (edit: EditTimeline): Cell[] => [
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

const arrivalCells = (
  arrival: EditArrival | undefined,
  who: LatencySamples['windows'][number] | undefined,
): Cell[] => [
  arrival?.window,
  who?.name,
  who?.person,
  arrival?.path,
  arrival?.received,
  arrival?.applied,
  arrival?.painted,
  arrival?.boundMs,
]

/** The cells are empty while the edit has not left yet. */
const linkCells = ({ link }: EditTimeline): Cell[] => [
  link?.transport,
  link?.protocol,
  link?.up,
  link?.simulated && 'simulated',
]

/** Formats a cell as in RFC 4180. An apostrophe keeps a name as text that a spreadsheet would take for a formula. */
function csvCellOf(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(Math.round(cell * 1000) / 1000)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
