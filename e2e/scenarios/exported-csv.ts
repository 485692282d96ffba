/** The samples as a spreadsheet reads them, held against those that a program reads. Knows columns by their names alone. */
import type { EditArrival, LatencySamples, EditTimeline } from '../../lib/latency/latency-state.ts'
import { expect } from '../support/fixtures.ts'

type CsvValue = string | number | undefined

/** A row for each edit and window, in the order of the JSON; numbers to a thousandth. */
export function expectSameInCsv(csv: string, { edits, windows, window, document }: LatencySamples): void {
  const [header = [], ...rows] = parseCsv(csv)
  // A name with its unit: "key (ms since 1970)".
  const columns = header.map((cell) => cell.replace(/ \(.*\)$/, ''))
  const expected = edits.flatMap((edit) =>
    edit.arrivals.map((arrival) => ({
      ...editCells(edit),
      ...arrivalCells(arrival, windows),
      'made in': window,
      document,
    })),
  )
  expect(rows).toHaveLength(expected.length)
  for (const [index, row] of rows.entries())
    for (const [column, value] of Object.entries<CsvValue>(expected[index]!))
      expectCell(`${column} in row ${index + 1}`, row[columns.indexOf(column)], value)
}

const editCells = ({
  edit,
  key,
  by,
  made,
  ownPaint,
  sent,
  acknowledged,
  saved,
  refused,
  link,
}: EditTimeline) => ({
  edit,
  key,
  by,
  made,
  'own paint': ownPaint,
  sent,
  acknowledged,
  saved,
  refused: refused && 'refused',
  transport: link?.transport,
  protocol: link?.protocol,
  'way up': link?.up,
  simulated: link?.simulated && 'simulated',
})

function arrivalCells({ window, boundMs, ...stageTimes }: EditArrival, windows: LatencySamples['windows']) {
  const { name, person } = windows.find(({ id }) => id === window)!
  return { ...stageTimes, window, 'window name': name, person, bound: boundMs }
}

function expectCell(label: string, cell: string | undefined, value: CsvValue): void {
  if (typeof value !== 'number') return expect(cell, label).toBe(value ?? '')
  expect(cell, label).not.toBe('')
  expect(Math.abs(Number(cell) - value), `${label}: ${cell} for ${value}`).toBeLessThan(0.001)
}

/** RFC 4180. */
function parseCsv(csv: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  const rows: string[][] = [[]]
  for (let match = cell.exec(csv); match; match = cell.exec(csv)) {
    rows.at(-1)!.push(match[1]?.replaceAll('""', '"') ?? match[2]!)
    if (match[3] !== ',') rows.push([])
  }
  expect(rows.pop(), 'what stands behind the last row').toEqual([])
  return rows
}
