/** The samples as a spreadsheet reads them, held against those that a program reads. Knows columns by their names alone. */
import type { Arrival, Samples, Timeline } from '../../lib/latency/state.ts'
import { expect } from '../support/fixtures.ts'

type Cell = string | number | undefined

/** A row for each edit and window, in the order of the JSON; numbers to a thousandth. */
export function expectSameInCsv(csv: string, { edits, windows, window, document }: Samples): void {
  const [header = [], ...rows] = parse(csv)
  // A name with its unit: "key (ms since 1970)".
  const columns = header.map((cell) => cell.replace(/ \(.*\)$/, ''))
  const expected = edits.flatMap((edit) =>
    edit.arrivals.map((arrival) => ({
      ...ownCells(edit),
      ...cellsThere(arrival, windows),
      'made in': window,
      document,
    })),
  )
  expect(rows).toHaveLength(expected.length)
  for (const [index, row] of rows.entries())
    for (const [column, value] of Object.entries<Cell>(expected[index]!))
      expectCell(`${column} in row ${index + 1}`, row[columns.indexOf(column)], value)
}

const ownCells = ({ edit, key, by, made, ownPaint, sent, acknowledged, saved, refused, link }: Timeline) => ({
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

function cellsThere({ window, boundMs, ...stations }: Arrival, windows: Samples['windows']) {
  const { name, person } = windows.find(({ id }) => id === window)!
  return { ...stations, window, 'window name': name, person, bound: boundMs }
}

function expectCell(where: string, cell: string | undefined, value: Cell): void {
  if (typeof value !== 'number') return expect(cell, where).toBe(value ?? '')
  expect(cell, where).not.toBe('')
  expect(Math.abs(Number(cell) - value), `${where}: ${cell} for ${value}`).toBeLessThan(0.001)
}

/** RFC 4180. */
function parse(csv: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  const rows: string[][] = [[]]
  for (let found = cell.exec(csv); found; found = cell.exec(csv)) {
    rows.at(-1)!.push(found[1]?.replaceAll('""', '"') ?? found[2]!)
    if (found[3] !== ',') rows.push([])
  }
  expect(rows.pop(), 'what stands behind the last row').toEqual([])
  return rows
}
