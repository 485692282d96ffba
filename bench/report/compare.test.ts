import { expect, test } from 'vitest'
import { sampleSection, sampleReport } from '../fixtures/sample-run.ts'
import type { ScenarioReport } from '../run/read.ts'
import { compare, differencesText } from './compare.ts'
import type { Cell, Column } from './section.ts'

const report = (columns: readonly Column[], rows: readonly (readonly Cell[])[]): ScenarioReport => ({
  ...sampleReport,
  section: { ...sampleSection, tables: [{ title: 'Latency', columns, rows }] },
})

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

test('rounds that overlap are no difference, and single figures tell nothing of it', () => {
  const [near] = compare(
    [report(columns, [['Diptych', rounds(10)]])],
    [report(columns, [['Diptych', rounds(11)]])],
  )
  const [single] = compare([report(columns, [['Diptych', 10]])], [report(columns, [['Diptych', rounds(20)]])])
  expect(near?.apart).toBe(false)
  expect(single?.apart).toBeUndefined()
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
  const none = report(columns, [['Diptych', { median: Number.NaN, least: Number.NaN, most: Number.NaN }]])
  expect(compare([none], [report(columns, [['Diptych', 1]])])).toEqual([])
})

test('a line for each figure', () => {
  const text = differencesText(
    compare([report(columns, [['Diptych', rounds(10)]])], [report(columns, [['Diptych', rounds(5)]])]),
  )
  expect(text).toMatch(/broadcast: Latency\n {2}Diptych, p50, ms +10 → +5 +0\.50 × +apart\n/)
})

test('apart is apart whichever is the slower, and what one of them lacks is left out', () => {
  const [slower] = compare(
    [report(columns, [['Diptych', rounds(5)]])],
    [report(columns, [['Diptych', rounds(10)]])],
  )
  expect(slower).toMatchObject({ ratio: 2, apart: true })
  const none = { median: Number.NaN, least: Number.NaN, most: Number.NaN }
  expect(compare([report(columns, [['Diptych', 1]])], [report(columns, [['Diptych', none]])])).toEqual([])
})

test('what stands in the first column names a row, number or not; another table is another', () => {
  const clients = [{ name: 'clients' }, { name: 'p50', unit: 'ms' }]
  const [only, ...others] = compare([report(clients, [[200, 4]])], [report(clients, [[200, 8]])])
  expect([only?.column, others]).toEqual(['p50, ms', []])
  const other = report(columns, [['Diptych', 1]])
  const [table] = other.section.tables
  const renamed = { ...other, section: { ...other.section, tables: [{ ...table!, title: 'Memory' }] } }
  expect(compare([other], [renamed])).toEqual([])
  expect(compare([other], [{ ...other, name: 'idle' }])).toEqual([])
})

test('of nothing there is no ratio', () => {
  const text = differencesText(
    compare([report(columns, [['Diptych', 0]])], [report(columns, [['Diptych', 0]])]),
  )
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
