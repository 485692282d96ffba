import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reportWith, runWith, sampleReport, sampleRunInfo } from '../fixtures/sample-run.ts'
import type { ChosenReport } from '../run/newest.ts'
import { short } from './figures.ts'
import { htmlOf } from './html.ts'
import { withNodesTable, withReadmeRows, withTable } from './readme.ts'
import { machineText, textOf } from './text.ts'

const page = await htmlOf('a run', sampleRunInfo, [sampleReport])
const { finished: _, ...unfinished } = sampleRunInfo

const marked = (marks: string) =>
  `# Title\n\n<!-- ${marks}: made by \`npm run bench -- readme\` -->\n\nyesterday’s\n\n<!-- ${marks}: end -->\n\nMore.\n`
const [performance, readme] = [marked('bench'), marked('bench headlines')]

const CPU = 'Server CPU a delivery, 200 clients writing to all'
const chosen = (name: string, fields: Partial<ChosenReport> = {}): ChosenReport => ({
  info: sampleRunInfo,
  report: reportWith({ headlines: [{ what: CPU, ours: name, aims: sampleReport.section.aims }] }, { name }),
  otherwise: [],
  failed: [],
  ...fields,
})
/** Two of one run; one with other options that went on on another machine; a quick one that is not whole and saturated. */
const allChosen: readonly ChosenReport[] = [
  chosen('broadcast', { failed: ['A, sse, round 1: Error: lost 3 (run 2)', ...Array(6).fill('B (run 3)')] }),
  chosen('keystrokes', { report: { ...sampleReport, name: 'keystrokes' } }),
  chosen('rooms', {
    info: {
      ...sampleRunInfo,
      sittings: [...sampleRunInfo.sittings, ...runWith({ machine: 'another machine' }).sittings],
    },
    report: reportWith({ headlines: [], aims: [] }, { name: 'rooms' }),
    otherwise: ['documents 150'],
  }),
  chosen('idle', {
    info: { ...sampleRunInfo, quick: true },
    report: reportWith(
      { headlines: [{ what: CPU, ours: '9 µs', saturated: { count: 3, trials: 3 } }], aims: [] },
      { name: 'idle', missing: 2 },
    ),
  }),
]

test('a run on the terminal and as a page, and several as the tables of PERFORMANCE.md and README.md', async () => {
  const all = [
    machineText(sampleRunInfo),
    textOf('broadcast', sampleReport.section),
    page.replace(/<style>.*<\/style>/s, '<style></style>'),
    await htmlOf('a quick run', { ...unfinished, quick: true }, []).then(
      (quick) => quick.split('</style>')[1],
    ),
    withTable(performance, allChosen),
    withReadmeRows(readme, allChosen),
  ]
  await expect(all.join('\n────────\n')).toMatchFileSnapshot('../fixtures/sample-report.txt')
})

test('the page needs nothing from elsewhere, and runs nothing; what is text stays text', () => {
  expect(page).not.toMatch(/<script|<link|<img|@import|url\(|https?:/)
  expect(page).toContain('prefers-color-scheme: dark')
  expect(page).not.toMatch(/<polling>|<of all>/)
})

test('where nothing was measured yet there is a dash, and no bar', async () => {
  const none = { median: Number.NaN, least: Number.NaN, most: Number.NaN }
  const report = reportWith({
    tables: [
      { title: 'Latency', columns: [{ name: 'subject' }, { name: 'p50' }], rows: [['Diptych', none]] },
    ],
    charts: [
      { kind: 'bars', title: 'Latency', unit: 'ms', groups: ['a'], series: [{ name: 'b', values: [none] }] },
    ],
    aims: [],
  })
  const half = await htmlOf('a run', sampleRunInfo, [report])
  expect(half).toContain('<td>–</td>')
  expect(half).toContain('<i></i><b>–</b>')
  expect(half).not.toContain('NaN')
})

test('a table made twice is the same, and a page without a place for it, or with its marks turned round, is left alone', () => {
  const once = withTable(performance, allChosen)
  expect(withTable(once, allChosen)).toBe(once)
  const turned = performance.split('\n').toReversed().join('\n')
  for (const text of ['# Diptych\n', turned])
    expect(() => withTable(text, allChosen)).toThrow('docs/PERFORMANCE.md has no place')
  expect(() => withReadmeRows(performance, allChosen)).toThrow('README.md has no place')
  expect(() => withNodesTable(readme, allChosen)).toThrow('docs/PERFORMANCE.md has no place')
})

function tableRows(path: string): string[] {
  const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
  const between = text.slice(text.indexOf('<!-- bench'), text.indexOf('end -->'))
  return between
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('| --'))
    .map((line) => line.replaceAll(/ +/g, ' '))
}

test('the rows of README.md are rows of docs/PERFORMANCE.md, all four of them', () => {
  const rows = tableRows('README.md')
  expect(rows).toHaveLength(5)
  expect(tableRows('docs/PERFORMANCE.md')).toEqual(expect.arrayContaining(rows))
})

test.each([
  [0, '0'],
  [0.000342, '0.0003'],
  [0.0123, '0.012'],
  [12.34, '12.34'],
  [1234.5, '1,235'],
])('%d is written as %s', (value, words) => expect(short(value)).toBe(words))
