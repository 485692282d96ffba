/**
 * Writes tables of headlines into pages, each between two marks, so that nobody writes them by hand. docs/PERFORMANCE.md has all rows with
 * the missed aims and the sources, and a second table of runs that measured nodes. README.md has a few of the same rows.
 */
import type { ChosenReport } from '../run/newest-reports.ts'
import { aimVerdicts, missedAims, saturationMarks } from './aim-text.ts'
import { fsyncSummary } from './miss-reasons.ts'
import type { Headline } from './section.ts'

/** A place in a page for a table, and what is written there. */
export interface TablePlace {
  readonly page: string
  readonly begin: string
  readonly end: string
  readonly write: (picked: readonly ChosenReport[]) => string
}

/** The rows that README.md shows, each by its scenario and its name. A row that no run has measured is left out. */
const readmeRows: readonly (readonly [scenario: string, what: string])[] = [
  ['keystrokes', 'Key → applied in four other windows by WebSocket, mean'],
  ['broadcast', 'Server CPU a delivery, 200 clients writing to all'],
  ['durable', 'From an edit to its being on the disk, one writer, p50'],
  ['switch', 'Five windows, a switch of transport every 200 ms each'],
]

export const performanceTable: TablePlace = {
  page: 'docs/PERFORMANCE.md',
  begin: '<!-- bench: made by `npm run bench -- readme` -->',
  end: '<!-- bench: end -->',
  write: fullTable,
}
export const nodesTable: TablePlace = {
  page: 'docs/PERFORMANCE.md',
  begin: '<!-- bench nodes: made by `npm run bench -- nodes-table RUN…` -->',
  end: '<!-- bench nodes: end -->',
  write: fullTable,
}
export const readmeTable: TablePlace = {
  page: 'README.md',
  begin: '<!-- bench headlines: made by `npm run bench -- readme` -->',
  end: '<!-- bench headlines: end -->',
  write: shortTable,
}

/** The page with the table made anew. @throws {Error} if the marks are missing. */
export function replaceTable(
  text: string,
  { page, begin, end, write }: TablePlace,
  picked: readonly ChosenReport[],
): string {
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${page} has no place for the table: ${begin} … ${end}`)
  return `${text.slice(0, from + begin.length)}\n\n${write(picked)}\n\n${text.slice(to)}`
}

const tableHead = ['|  | Diptych | in the same run | published | aim |', '| --- | --- | --- | --- | --- |']

function fullTable(picked: readonly ChosenReport[]): string {
  const missed = picked.flatMap(missedLines)
  return [
    ...tableHead,
    ...picked.flatMap((one) => one.report.section.headlines.map((headline) => tableRow(one, headline))),
    '',
    ...saturationNote(picked.flatMap(({ report }) => report.section.headlines)),
    `${aimCount(picked)}.${missed.length > 0 ? ' Missed, and why:' : ''}`,
    ...(missed.length > 0 ? ['', ...missed] : []),
    '',
    ...failureLines(picked),
    ...sourceLines(picked).map((line) => `- ${line}`),
    ...diskLines(picked).map((line) => `- ${line}`),
  ].join('\n')
}

function shortTable(picked: readonly ChosenReport[]): string {
  const chosen = readmeRows.flatMap(([scenario, what]) =>
    picked
      .filter(({ report }) => report.name === scenario)
      .flatMap((one) =>
        one.report.section.headlines
          .filter((headline) => headline.what === what)
          .map((headline) => ({ headline, row: tableRow(one, headline) })),
      ),
  )
  return [
    ...tableHead,
    ...chosen.map(({ row }) => row),
    '',
    ...saturationNote(chosen.map(({ headline }) => headline)),
    `${aimCount(picked)} in all runs. Every row, every missed aim with its reason, machine and commits: [docs/PERFORMANCE.md](docs/PERFORMANCE.md#measured).`,
  ].join('\n')
}

/** `30 of 45 aims reached` */
function aimCount(picked: readonly ChosenReport[]): string {
  const aims = picked.flatMap(({ report }) => report.section.aims)
  return `${aims.filter(({ reached }) => reached).length} of ${aims.length} aims reached`
}

const saturationNote = (headlines: readonly Headline[]): string[] =>
  headlines.some(({ saturated }) => saturated)
    ? ['Saturated: the machine was more than 80 % busy, so times include waiting for a core.', '']
    : []

function diskLines(picked: readonly ChosenReport[]): string[] {
  const fsync = picked.flatMap(({ report }) => report.fsync)
  return fsync.length === 0 ? [] : [`The disk alone, between these trials: ${fsyncSummary(fsync)}.`]
}

/** Says in the row that a figure is coarse. */
function rowMarks({ info, report }: ChosenReport, headline: Headline): string {
  const marks = [
    ...(info.quick ? ['quick run'] : []),
    ...(report.missing > 0 ? ['unfinished'] : []),
    ...saturationMarks(headline),
  ]
  return marks.length > 0 ? ` (${marks.join(', ')})` : ''
}

const escapeCell = (text = ''): string => text.replaceAll('|', '\\|')

function tableRow(one: ChosenReport, headline: Headline): string {
  const { what, ours, beside, published, aims = [] } = headline
  const cells = [what + rowMarks(one, headline), ours, beside, published, aimVerdicts(aims)]
  return `| ${cells.map(escapeCell).join(' | ')} |`
}

/** How many failures of a scenario are named; the rest is counted. */
const NAMED_FAILURES = 5

function failureLines(picked: readonly ChosenReport[]): string[] {
  const lines = picked.flatMap(({ report: { name }, failed }) => {
    const rest = failed.length - NAMED_FAILURES
    const named = [...failed.slice(0, NAMED_FAILURES), ...(rest > 0 ? [`${rest} more`] : [])]
    return failed.length > 0 ? [`- **${name}**: ${named.join('; ')}.`] : []
  })
  return lines.length > 0 ? ['Trials that failed, in these runs or in newer ones:', '', ...lines, ''] : []
}

const missedLines = ({ report: { name, section } }: ChosenReport): string[] =>
  missedAims(section).map(({ what, reason }) => `- **${name}**: ${what}. ${reason}`)

/** Names together the scenarios that were measured in the same way, even in several runs. */
function sourceLines(picked: readonly ChosenReport[]): string[] {
  const alike = Map.groupBy(picked, ({ info: { sittings, quick } }) => {
    const { surroundings: at } = sittings.at(-1)!
    return `Measured on ${at.at.slice(0, 10)}, commit ${at.commit || 'unknown'}, ${at.machine}, ${at.cores} cores, ${at.memoryGiB} GiB, Node ${at.node}${quick ? ', a quick run' : ''}`
  })
  return [...alike].map(([how, own]) => `${how}: ${own.map(scenarioText).join(', ')}.`)
}

const scenarioText = ({ report: { name }, otherOptions }: ChosenReport): string =>
  otherOptions.length > 0 ? `${name} (with ${otherOptions.join(', ')})` : name
