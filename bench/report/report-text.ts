/** The report on the terminal: each section with its tables and aims, and what is known of the run. Charts are only on the page. */
import type { ScenarioReport } from '../run/read-reports.ts'
import type { RunInfo } from '../run/run-folder.ts'
import { versionWords } from '../support/versions.ts'
import { aimAmount, aimReason } from './aim-text.ts'
import { cellText, columnHead } from './format-figures.ts'
import { fsyncSummary } from './miss-reasons.ts'
import type { Aim, Section, Table } from './section.ts'

/** Names where and when a run was measured, and with which releases. */
export function runFacts({ sittings }: RunInfo, reports: readonly ScenarioReport[]) {
  const { surroundings: at } = sittings.at(-1)!
  const starts = sittings.map(({ surroundings }) => surroundings.at.slice(0, 16).replace('T', ' '))
  return Object.entries({
    Machine: `${at.machine}, ${at.cores} cores, ${at.memoryGiB} GiB`,
    System: `${at.system}, Node ${at.node}, ${at.browser}`,
    Diptych: [at.diptych, at.commit].filter(Boolean).join(', '),
    ...(at.versions && { Releases: versionWords(at.versions) }),
    Started: `${starts.join(', then ')} UTC`,
    'Load before': sittings.map(({ loadBefore }) => loadBefore.toFixed(2)).join(', '),
    'The disk’s fsync': fsyncSummary([...sittings, ...reports].flatMap(({ fsync }) => fsync)),
  })
}

export const runText = (info: RunInfo, reports: readonly ScenarioReport[]): string =>
  runFacts(info, reports)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

export function sectionText(name: string, { method, tables, aims, notes }: Section): string {
  return [
    `── ${name}`,
    method,
    ...tables.flatMap((table) => ['', ...tableLines(table)]),
    ...(aims.length > 0 ? ['', 'Aims', ...aims.map((aim) => `  ${aimLine(aim)}`)] : []),
    ...notes.flatMap((note) => ['', note]),
    '',
  ].join('\n')
}

function tableLines({ title, columns, rows, note }: Table): string[] {
  const cells = [
    columns.map(columnHead),
    ...rows.map((row) => columns.map((column, index) => cellText(row[index] ?? null, column))),
  ]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]!.length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[index]!)))
      .join('  ')
  return [title, ...cells.map((row) => `  ${line(row)}`), ...(note ? [`  ${note}`] : [])]
}

function aimLine(aim: Aim): string {
  const verdict = aim.reached ? 'reached' : `MISSED: ${aimReason(aim)}`
  return `${aim.name}: ${aimAmount(aim)}: ${verdict}`
}
