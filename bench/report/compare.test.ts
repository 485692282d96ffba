import { expect, test } from 'vitest'
import { reportWith, sampleReport } from '../fixtures/sample-run.ts'
import { compare, differencesText } from './compare.ts'
import type { Cell, Column } from './section.ts'

const report = (columns: readonly Column[], rows: readonly (readonly Cell[])[], title = 'Latency') =>
  reportWith({ tables: [{ title, columns, rows }] })

const columns = [{ name: 'subject' }, { name: 'p50', unit: 'ms' }]
const rounds = (median: number) => ({ median, least: median - 1, most: median + 1 })

test('a figure meets the one of the same name, wherever it stands', () => {
  const before = report(columns, [
    ['Diptych', rounds(10)],
    ['Socket.IO', 7],
  ])
  const after = report(
    [{ name: 'subject' }, { name: 'p99', unit: 'ms' }, { name: 'p50', unit: 'ms' }],
    [
      ['Hocuspocus', 1, 2],
      ['Diptych', 50, rounds(5)],
    ],
  )
  expect(compare([before], [after])).toEqual([
    {
      scenario: 'broadcast',
      table: 'Latency',
      row: 'Diptych',
      column: 'p50, ms',
      before: 10,
      after: 5,
      ratio: 0.5,
      apart: true,
      improved: undefined,
    },
  ])
})

/** The one figure of one row, before and after. */
const difference = (before: Cell, after: Cell) =>
  compare([report(columns, [['Diptych', before]])], [report(columns, [['Diptych', after]])])

test('rounds that overlap are no difference, apart is apart whichever is the slower, and single figures tell nothing of it', () => {
  expect(difference(rounds(10), rounds(11))).toMatchObject([{ apart: false }])
  expect(difference(rounds(5), rounds(10))).toMatchObject([{ ratio: 2, apart: true }])
  expect(difference(10, rounds(20))).toMatchObject([{ apart: undefined }])
})

test('words, and what others published, are not compared', () => {
  const names = compare([sampleReport], [sampleReport]).map(({ column }) => column)
  expect(new Set(names)).toEqual(new Set(['p50, ms', 'p99, ms']))
})

test('what was measured in another unit is another figure', () => {
  const inSeconds = report([{ name: 'subject' }, { name: 'p50', unit: 's' }], [['Diptych', 1]])
  expect(compare([report(columns, [['Diptych', 1]])], [inSeconds])).toEqual([])
})

test('what one of them did not measure is not compared', () => {
  const none = { median: Number.NaN, least: Number.NaN, most: Number.NaN }
  expect([difference(none, 1), difference(1, none)]).toEqual([[], []])
})

test('a line for each figure', () => {
  expect(differencesText(difference(rounds(10), rounds(5)))).toMatch(
    /broadcast: Latency\n {2}Diptych, p50, ms +10 → +5 +0\.50 × +apart\n/,
  )
})

test('what stands in the first column names a row, number or not; another table is another', () => {
  const clients = [{ name: 'clients' }, { name: 'p50', unit: 'ms' }]
  const [only, ...others] = compare([report(clients, [[200, 4]])], [report(clients, [[200, 8]])])
  expect([only?.column, others]).toEqual(['p50, ms', []])
  const other = report(columns, [['Diptych', 1]])
  expect(compare([other], [report(columns, [['Diptych', 1]], 'Memory')])).toEqual([])
  expect(compare([other], [{ ...other, name: 'idle' }])).toEqual([])
})

test('of nothing there is no ratio', () => {
  const text = differencesText(difference(0, 0))
  expect(text).toContain('0 →')
  expect(text).not.toMatch(/NaN|×/)
})

test('what is apart is better or worse where the metric says which way is better', () => {
  const verdict = (better: 'less' | 'more', before: number, after: number) => {
    const own = [{ name: 'subject' }, { name: 'p50', unit: 'ms', better }]
    const [one, other] = [before, after].map((median) => report(own, [['Diptych', rounds(median)]]))
    return differencesText(compare([one!], [other!]))
      .trim()
      .split(/ {2,}/)
      .at(-1)
  }
  expect(verdict('less', 10, 5)).toBe('apart, better')
  expect(verdict('more', 10, 5)).toBe('apart, worse')
  expect(verdict('less', 10, 11)).toBe('ranges overlap')
})
