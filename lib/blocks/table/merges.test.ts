import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resolveMerges, spanOf } from './merges.ts'

const spans = fc.array(
  fc.array(
    fc.record({
      col: fc.constantFrom('a', 'b', 'c', 'd', 'gone'),
      rows: fc.integer({ min: 1, max: 9 }),
      columns: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 3 },
  ),
  { minLength: 1, maxLength: 6 },
)

test('whatever merges are stored, none leaves the table or covers another, and each row has a cell of its own', () => {
  fc.assert(
    fc.property(spans, (rows) => {
      const columns = ['a', 'b', 'c', 'd']
      const shown = rows.map(() => columns.map(() => 0))
      for (const area of resolveMerges(rows, columns))
        for (let row = area.row; row < area.row + area.rows; row++)
          for (let column = area.column; column < area.column + area.columns; column++) {
            expect(shown[row]![column]).toBe(0)
            shown[row]![column] = row === area.row && column === area.column ? 1 : 2
          }
      for (const row of shown) expect(row.some((place) => place < 2)).toBe(true)
    }),
  )
})

test.each([
  [2, 2],
  [1, 1],
  ['2', 1],
  [-3, 1],
  [1.5, 1],
  [Infinity, 1],
  [null, 1],
  [1e9, 1],
])('a span of %j is %i', (value, span) => {
  expect(spanOf(value)).toBe(span)
})
