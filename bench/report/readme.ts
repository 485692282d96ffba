/**
 * Tables of headlines, made from runs and never by hand, each between two marks: all rows with the missed aims and the sources in
 * docs/PERFORMANCE.md, a few of the same rows in README.md; and in docs/PERFORMANCE.md those of runs that measured nodes alone.
 */
import type { ChosenReport } from '../run/newest.ts'
import { missesOf, saturatedIn, verdictsOf } from './aims.ts'
import { diskWords } from './reasons.ts'
import type { Headline } from './section.ts'

interface Marks {
  readonly page: string
  readonly begin: string
  readonly end: string
}

const tableMarks: Marks = {
  page: 'docs/PERFORMANCE.md',
  begin: '<!-- bench: made by `npm run bench -- readme` -->',
  end: '<!-- bench: end -->',
}
const nodesMarks: Marks = {
  page: 'docs/PERFORMANCE.md',
  begin: '<!-- bench nodes: made by `npm run bench -- nodes-table RUN…` -->',
  end: '<!-- bench nodes: end -->',
}
const readmeMarks: Marks = {
  page: 'README.md',
  begin: '<!-- bench headlines: made by `npm run bench -- readme` -->',
  end: '<!-- bench headlines: end -->',
}

/** The rows that README.md shows, each by its scenario and its name there. A row that no run has measured is left out. */
const readmeRows: readonly (readonly [scenario: string, what: string])[] = [
  ['keystrokes', 'Key → applied in four other windows by WebSocket, mean'],
  ['broadcast', 'Server CPU a delivery, 200 clients writing to all'],
  ['durable', 'From an edit to its being on the disk, one writer, p50'],
  ['switch', 'Five windows, a switch of transport every 200 ms each'],
]

/** docs/PERFORMANCE.md with the whole table. @throws {Error} where the marks are missing. */
export const withTable = (page: string, picked: readonly ChosenReport[]): string =>
  replaceBetween(page, tableMarks, tableOf(picked))

/** docs/PERFORMANCE.md with the table of nodes. @throws {Error} where the marks are missing. */
export const withNodesTable = (page: string, picked: readonly ChosenReport[]): string =>
  replaceBetween(page, nodesMarks, tableOf(picked))

/** README.md with its few rows. @throws {Error} where the marks are missing. */
export const withReadmeRows = (readme: string, picked: readonly ChosenReport[]): string =>
  replaceBetween(readme, readmeMarks, readmeRowsOf(picked))

function replaceBetween(text: string, { page, begin, end }: Marks, content: string): string {
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${page} has no place for the table: ${begin} … ${end}`)
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`
}

const headRows = ['|  | Diptych | in the same run | published | aim |', '| --- | --- | --- | --- | --- |']

function tableOf(picked: readonly ChosenReport[]): string {
  const missed = picked.flatMap(missedOf)
  return [
    ...headRows,
    ...picked.flatMap((one) => one.report.section.headlines.map((headline) => rowOf(one, headline))),
    '',
    ...saturationOf(picked.flatMap(({ report }) => report.section.headlines)),
    `${reachedOf(picked)}.${missed.length > 0 ? ' Missed, and why:' : ''}`,
    ...(missed.length > 0 ? ['', ...missed] : []),
    '',
    ...failedOf(picked),
    ...sourcesOf(picked).map((line) => `- ${line}`),
    ...diskOf(picked).map((line) => `- ${line}`),
  ].join('\n')
}

function readmeRowsOf(picked: readonly ChosenReport[]): string {
  const chosen = readmeRows.flatMap(([scenario, what]) =>
    picked
      .filter(({ report }) => report.name === scenario)
      .flatMap((one) =>
        one.report.section.headlines
          .filter((headline) => headline.what === what)
          .map((headline) => ({ headline, row: rowOf(one, headline) })),
      ),
  )
  return [
    ...headRows,
    ...chosen.map(({ row }) => row),
    '',
    ...saturationOf(chosen.map(({ headline }) => headline)),
    `${reachedOf(picked)} in all runs. Every row, every missed aim with its reason, machine and commits: [docs/PERFORMANCE.md](docs/PERFORMANCE.md#measured).`,
  ].join('\n')
}

/** `30 of 45 aims reached` */
function reachedOf(picked: readonly ChosenReport[]): string {
  const aims = picked.flatMap(({ report }) => report.section.aims)
  return `${aims.filter(({ reached }) => reached).length} of ${aims.length} aims reached`
}

const saturationOf = (headlines: readonly Headline[]): string[] =>
  headlines.some(({ saturated }) => saturated)
    ? ['Saturated: the machine was more than 80 % busy, so that times are those of waiting for a core.', '']
    : []

function diskOf(picked: readonly ChosenReport[]): string[] {
  const fsync = picked.flatMap(({ report }) => report.fsync)
  return fsync.length === 0 ? [] : [`The disk by itself between these trials: ${diskWords(fsync)}.`]
}

/** A figure that is coarse says so where it stands. */
function markOf({ info, report }: ChosenReport, headline: Headline): string {
  const marks = [
    ...(info.quick ? ['quick run'] : []),
    ...(report.missing > 0 ? ['unfinished'] : []),
    ...saturatedIn(headline),
  ]
  return marks.length > 0 ? ` (${marks.join(', ')})` : ''
}

const cell = (text = ''): string => text.replaceAll('|', '\\|')

function rowOf(one: ChosenReport, headline: Headline): string {
  const { what, ours, beside, published, aims = [] } = headline
  const cells = [what + markOf(one, headline), ours, beside, published, verdictsOf(aims)]
  return `| ${cells.map(cell).join(' | ')} |`
}

/** At most so many of a scenario by name. */
const FAILURES = 5

function failedOf(picked: readonly ChosenReport[]): string[] {
  const lines = picked.flatMap(({ report: { name }, failed }) => {
    const rest = failed.length - FAILURES
    const named = [...failed.slice(0, FAILURES), ...(rest > 0 ? [`${rest} more`] : [])]
    return failed.length > 0 ? [`- **${name}**: ${named.join('; ')}.`] : []
  })
  return lines.length > 0 ? ['Trials that failed, in these runs or in newer ones:', '', ...lines, ''] : []
}

const missedOf = ({ report: { name, section } }: ChosenReport): string[] =>
  missesOf(section).map(({ what, reason }) => `- **${name}**: ${what}. ${reason}`)

/** What was measured alike, in however many runs, stands together. */
function sourcesOf(picked: readonly ChosenReport[]): string[] {
  const alike = Map.groupBy(picked, ({ info: { sittings, quick } }) => {
    const { surroundings: at } = sittings.at(-1)!
    return `Measured on ${at.at.slice(0, 10)}, commit ${at.commit || 'unknown'}, ${at.machine}, ${at.cores} cores, ${at.memoryGiB} GiB, Node ${at.node}${quick ? ', a quick run' : ''}`
  })
  return [...alike].map(([how, own]) => `${how}: ${own.map(nameOf).join(', ')}.`)
}

const nameOf = ({ report: { name }, otherwise }: ChosenReport): string =>
  otherwise.length > 0 ? `${name} (with ${otherwise.join(', ')})` : name
