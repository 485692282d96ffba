import { expect, test } from 'vitest'
import { reportWith, sampleReport } from '../fixtures/sample-run.ts'
import type { ScenarioReport } from '../run/read-reports.ts'
import { compareReports, differencesText } from './compare-reports.ts'
import type { Cell, Column } from './section.ts'

const report = (columns: readonly Column[], rows: readonly (readonly Cell[])[], title = 'Latency') =>
  reportWith({ tables: [{ title, columns, rows }] })

const subject = { name: 'subject' }
const p50: Column = { name: 'p50', unit: 'ms' }
const rounds = (median: number) => ({ median, least: median - 1, most: median + 1 })
const none = { median: Number.NaN, least: Number.NaN, most: Number.NaN }

const textOf = (before: ScenarioReport, after: ScenarioReport) =>
  differencesText(compareReports([before], [after]))
/** Compares a table of one row and one figure. */
const lineOf = (before: Cell, after: Cell, column: Column = p50): string | undefined =>
  textOf(report([subject, column], [['Diptych', before]]), report([subject, column], [['Diptych', after]]))
    .replaceAll(/ +/g, ' ')
    .split('\n')[1]

test('figures are matched by name in any order, each in a line of its table', () => {
  const before = report(
    [subject, p50],
    [
      ['Diptych', rounds(10)],
      ['Socket.IO', 7],
    ],
  )
  const after = report(
    [subject, { name: 'p99', unit: 'ms' }, p50],
    [
      ['Hocuspocus', 1, 2],
      ['Diptych', 50, rounds(5)],
    ],
  )
  expect(textOf(before, after)).toMatch(
    /^broadcast: Latency\n {2}Diptych, p50, ms +10 → +5 +0\.50 × +apart\n$/,
  )
})

test.each<[what: string, before: Cell, after: Cell, words: string | undefined]>([
  ['ranges that overlap are no difference', rounds(10), rounds(11), '10 → 11 1.10 × ranges overlap'],
  ['ranges apart may be slower as well', rounds(5), rounds(10), '5 → 10 2.00 × apart'],
  ['a single round has no range', 10, rounds(20), '10 → 20 2.00 ×'],
  ['zero has no ratio', 0, 0, '0 → 0'],
  ['a figure of the second run alone is not compared', none, 1, undefined],
  ['a figure of the first run alone is not compared', 1, none, undefined],
])('%s', (_what, before, after, words) =>
  expect(lineOf(before, after)).toBe(words && ` Diptych, p50, ms ${words}`),
)

test.each([
  ['less', 10, 5, 'apart, better'],
  ['more', 10, 5, 'apart, worse'],
  ['less', 10, 11, 'ranges overlap'],
] as const)('where %s is better, %d → %d is %s', (better, before, after, words) =>
  expect(lineOf(rounds(before), rounds(after), { ...p50, better })).toContain(`× ${words}`),
)

test('text and published figures are not compared', () => {
  const names = compareReports([sampleReport], [sampleReport]).map(({ column }) => column)
  expect(new Set(names)).toEqual(new Set(['p50, ms', 'p99, ms']))
})

test('the first column is the name of a row, even if it is a number, and figures of another unit, table or scenario do not match', () => {
  const clients = [{ name: 'clients' }, p50]
  const [only, ...others] = compareReports([report(clients, [[200, 4]])], [report(clients, [[200, 8]])])
  expect([only?.column, others]).toEqual(['p50, ms', []])
  const one = report([subject, p50], [['Diptych', 1]])
  const inSeconds = report([subject, { name: 'p50', unit: 's' }], [['Diptych', 1]])
  const elsewhere = report([subject, p50], [['Diptych', 1]], 'Memory')
  for (const other of [inSeconds, elsewhere, { ...one, name: 'idle' }])
    expect(compareReports([one], [other])).toEqual([])
})
