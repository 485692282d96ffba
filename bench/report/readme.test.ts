import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reportWith, runWith, sampleReport, sampleRunInfo } from '../fixtures/sample-run.ts'
import type { ChosenReport } from '../run/newest.ts'
import { withReadmeRows, withTable } from './readme.ts'

const page = [
  '# Performance',
  '',
  '<!-- bench: made by `npm run bench -- readme` -->',
  '',
  'yesterday’s table',
  '',
  '<!-- bench: end -->',
  '',
  'More.',
  '',
].join('\n')

const picked: ChosenReport = { info: sampleRunInfo, report: sampleReport, otherwise: [], failed: [] }

test('the table stands between its marks, with date and machine, and nothing else changes', () => {
  const made = withTable(page, [picked])
  expect(made).not.toContain('yesterday')
  expect(made).toMatch(/^# Performance\n\n<!-- bench/)
  expect(made).toMatch(/<!-- bench: end -->\n\nMore\.\n$/)
  expect(made).toContain('| Lost edits | 0 |  |  |  |')
  expect(made).toContain(
    '| Broadcast \\| 60 clients, p50 | 4 ms | Hocuspocus 9 ms | 6 ms (Johannessen 2014) | ≤ 0.5 × (0.5 of Hocuspocus): 0.42, reached; ≤ 16 ms: 18, missed |',
  )
  expect(made).toContain(
    'Measured on 2026-11-21, commit c0ffee, a machine, 2 cores, 4 GiB, Node v24: broadcast.',
  )
})

test('what was missed is said with its reason, and the disk’s own times beside it', () => {
  const made = withTable(page, [picked])
  expect(made).toContain('1 of 2 aims reached. Missed, and why:\n\n- **broadcast**: ')
  expect(made).toContain('- **broadcast**: p99 <of all>: 18 of at most 16 ms. Two cores for everything.')
  expect(made).toContain('p50 0.30 ms, p99 0.5 ms, the longest of 2 0.5 ms.')
})

test('aims missed for the same reason stand together', () => {
  const [, missed] = sampleReport.section.aims
  const report = reportWith({ aims: [missed!, { ...missed!, name: 'p95' }] })
  const made = withTable(page, [{ ...picked, report }])
  expect(made).toContain('18 of at most 16 ms; p95: 18 of at most 16 ms. Two cores for everything.')
})

test('a quick run, one that is not whole, and other options are said', () => {
  const quick = { ...sampleRunInfo, quick: true }
  const made = withTable(page, [
    { ...picked, info: quick, report: { ...sampleReport, missing: 2 } },
    { ...picked, report: { ...sampleReport, name: 'rooms' }, otherwise: ['documents 150'] },
  ])
  expect(made).toContain('| Lost edits (quick run, unfinished) | 0 |')
  expect(made).toContain('| Lost edits | 0 |')
  expect(made).toContain('Node v24, a quick run: broadcast.')
  expect(made).toContain('Node v24: rooms (with documents 150).')
})

test('the table made twice is the same', () => {
  const once = withTable(page, [picked])
  expect(withTable(once, [picked])).toBe(once)
})

test('a page without a place for the table, or with its marks turned round, is left alone', () => {
  const turned = page.split('\n').toReversed().join('\n')
  for (const text of ['# Diptych\n', turned]) expect(() => withTable(text, [picked])).toThrow('has no place')
  expect(() => withReadmeRows('# Diptych\n', [picked])).toThrow('README.md has no place')
})

test('the machine is that of the last sitting, and every bar in a cell is written as one', () => {
  const later = runWith({ machine: 'another machine' }).sittings
  const info = { ...sampleRunInfo, sittings: [...sampleRunInfo.sittings, ...later] }
  const report = reportWith({ headlines: [{ what: 'a | b | c', ours: '1' }] })
  const made = withTable(page, [{ ...picked, info, report }])
  expect(made).toContain('| a \\| b \\| c | 1 |')
  expect(made).toContain('another machine')
  expect(made).not.toContain('a machine')
})

test('several runs of one program and machine are one line', () => {
  const other = { ...picked, info: { ...sampleRunInfo }, report: { ...sampleReport, name: 'idle' } }
  expect(withTable(page, [picked, other])).toContain('Node v24: broadcast, idle.')
})

test('a row of a busy machine says so, and what that means stands below', () => {
  const [first, ...others] = sampleReport.section.headlines
  const marked = (count: number) => {
    const busy = { ...first!, what: 'Busy', saturated: { count, trials: 3 } }
    return { ...picked, report: reportWith({ headlines: [busy, ...others] }) }
  }
  expect(withTable(page, [marked(2)])).toContain('| Busy (saturated in 2 of 3 trials) | 4 ms |')
  expect(withTable(page, [marked(3)])).toContain('| Busy (saturated) | 4 ms |')
  expect(withTable(page, [marked(3)])).toContain('\n| Lost edits | 0 |')
  expect(withTable(page, [marked(3)])).toContain('\nSaturated: the machine was more than 80 % busy')
  expect(withTable(page, [picked])).not.toContain('aturated')
})

test('what failed is named, in newer runs as well', () => {
  const failed = ['A, sse, round 1: Error: lost 3 (run 2)', ...Array(6).fill('B (run 3)')]
  const made = withTable(page, [{ ...picked, failed }])
  expect(made).toContain(
    'Trials that failed, in these runs or in newer ones:\n\n- **broadcast**: A, sse, round 1: ',
  )
  expect(made).toContain('B (run 3); 2 more.')
  expect(withTable(page, [picked])).not.toContain('failed')
})

const readme = [
  '# Diptych',
  '',
  '<!-- bench headlines: made by `npm run bench -- readme` -->',
  'yesterday’s rows',
  '<!-- bench headlines: end -->',
  '',
  'More.',
  '',
].join('\n')

const CPU = 'Server CPU a delivery, 200 clients writing to all'
const chosen: ChosenReport = {
  ...picked,
  report: reportWith({
    headlines: [
      ...sampleReport.section.headlines,
      { what: CPU, ours: '5 µs', aims: sampleReport.section.aims, saturated: { count: 1, trials: 3 } },
    ],
  }),
}

test('the README has only the rows chosen by name, with their marks and aims, and a link to the others', () => {
  const made = withReadmeRows(readme, [chosen])
  expect(made).not.toContain('yesterday')
  expect(made).toContain(`| ${CPU} (saturated in 1 of 3 trials) | 5 µs |  |  | ≤ 0.5 ×`)
  expect(made).toContain('18, missed |')
  expect(made).toContain('Saturated: the machine was')
  expect(made).not.toContain('Lost edits')
  expect(made).toContain('1 of 2 aims reached in all runs. Every row')
  expect(made).toContain('(docs/PERFORMANCE.md#measured)')
  expect(made).toMatch(/<!-- bench headlines: end -->\n\nMore\.\n$/)
})

test('a row of the same name in another scenario is not the README’s', () => {
  const other = { ...chosen, report: { ...chosen.report, name: 'idle' } }
  expect(withReadmeRows(readme, [other])).not.toContain(CPU)
})

const projectFolder = join(import.meta.dirname, '../..')

function tableRows(path: string): string[] {
  const text = readFileSync(join(projectFolder, path), 'utf8')
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
