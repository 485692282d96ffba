import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reportWith, runWith, sampleReport, sampleRunInfo } from '../fixtures/sample-run.ts'
import type { ChosenReport } from '../run/newest-reports.ts'
import { formatShort } from './format-figures.ts'
import { reportHtml } from './report-html.ts'
import { nodesTable, performanceTable, readmeTable, replaceTable } from './headline-tables.ts'
import { runText, sectionText } from './report-text.ts'

const page = await reportHtml('a run', sampleRunInfo, [sampleReport])
const { finished: _, ...unfinished } = sampleRunInfo

const marked = (marks: string) =>
  `# Title\n\n<!-- ${marks}: made by \`npm run bench -- readme\` -->\n\nyesterday’s\n\n<!-- ${marks}: end -->\n\nMore.\n`
const [performance, readme] = [marked('bench'), marked('bench headlines')]

const CPU = 'Server CPU a delivery, 200 clients writing to all'
const chosen = (name: string, fields: Partial<ChosenReport> = {}): ChosenReport => ({
  info: sampleRunInfo,
  report: reportWith({ headlines: [{ what: CPU, ours: name, aims: sampleReport.section.aims }] }, { name }),
  otherOptions: [],
  failed: [],
  ...fields,
})
/** Two reports of one run, one with other options that was continued on another machine, and an unfinished quick one that is saturated. */
const allChosen: readonly ChosenReport[] = [
  chosen('broadcast', { failed: ['A, sse, round 1: Error: lost 3 (run 2)', ...Array(6).fill('B (run 3)')] }),
  chosen('keystrokes', { report: { ...sampleReport, name: 'keystrokes' } }),
  chosen('rooms', {
    info: {
      ...sampleRunInfo,
      sittings: [...sampleRunInfo.sittings, ...runWith({ machine: 'another machine' }).sittings],
    },
    report: reportWith({ headlines: [], aims: [] }, { name: 'rooms' }),
    otherOptions: ['documents 150'],
  }),
  chosen('idle', {
    info: { ...sampleRunInfo, quick: true },
    report: reportWith(
      { headlines: [{ what: CPU, ours: '9 µs', saturated: { count: 3, trials: 3 } }], aims: [] },
      { name: 'idle', missing: 2 },
    ),
  }),
]

test('a run as text and as a page, and several runs as the tables of PERFORMANCE.md and README.md', async () => {
  const all = [
    runText(sampleRunInfo, [sampleReport]),
    sectionText('broadcast', sampleReport.section),
    page.replace(/<style>.*<\/style>/s, '<style></style>'),
    await reportHtml('a quick run', { ...unfinished, quick: true }, []).then(
      (quick) => quick.split('</style>')[1],
    ),
    replaceTable(performance, performanceTable, allChosen),
    replaceTable(readme, readmeTable, allChosen),
  ]
  await expect(all.join('\n────────\n')).toMatchFileSnapshot('../fixtures/sample-report.txt')
})

test('the page loads no other file, runs no script, and escapes its text', () => {
  expect(page).not.toMatch(/<script|<link|<img|@import|url\(|https?:/)
  expect(page).toContain('prefers-color-scheme: dark')
  expect(page).not.toMatch(/<polling>|<of all>/)
})

test('a figure that was not measured is a dash without a bar', async () => {
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
  const half = await reportHtml('a run', sampleRunInfo, [report])
  expect(half).toContain('<td>–</td>')
  expect(half).toContain('<i></i><b>–</b>')
  expect(half).not.toContain('NaN')
})

test('a table made twice is the same, and a page without its marks, or with reversed ones, is an error', () => {
  const once = replaceTable(performance, performanceTable, allChosen)
  expect(replaceTable(once, performanceTable, allChosen)).toBe(once)
  const reversed = performance.split('\n').toReversed().join('\n')
  for (const text of ['# Diptych\n', reversed])
    expect(() => replaceTable(text, performanceTable, allChosen)).toThrow('docs/PERFORMANCE.md has no place')
  expect(() => replaceTable(performance, readmeTable, allChosen)).toThrow('README.md has no place')
  expect(() => replaceTable(readme, nodesTable, allChosen)).toThrow('docs/PERFORMANCE.md has no place')
})

function tableRows(path: string): string[] {
  const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
  const between = text.slice(text.indexOf('<!-- bench'), text.indexOf('end -->'))
  return between
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('| --'))
    .map((line) => line.replaceAll(/ +/g, ' '))
}

test('the four rows of README.md are rows of docs/PERFORMANCE.md', () => {
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
])('%d is written as %s', (value, words) => expect(formatShort(value)).toBe(words))
