/** The report on the terminal: the machine, and each section with its tables and aims. Charts are only on the page. */
import type { RunInfo } from '../run/run-folder.ts'
import { versionWords } from '../support/versions.ts'
import { aimAmount, aimReason } from './aim-text.ts'
import { columnHead, cellText } from './format-figures.ts'
import type { Aim, Section, Table } from './section.ts'

/** The machine and the releases that were measured. */
export function machineText({ sittings }: RunInfo): string {
  const { surroundings: at } = sittings.at(-1)!
  return [
    `${at.machine}, ${at.cores} cores, ${at.memoryGiB} GiB, ${at.system}`,
    `Diptych ${[at.diptych, at.commit].filter(Boolean).join(', ')}; Node ${at.node}, ${at.browser}`,
    ...(at.versions ? [versionWords(at.versions)] : []),
  ].join('\n')
}

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
