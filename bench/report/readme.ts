/** The README's table of headlines, between two marks: made from a run, never by hand. */
import type { RunInfo } from '../run/folder.ts'
import type { Told } from '../run/read.ts'
import type { Headline } from './section.ts'

const BEGIN = '<!-- bench: made by `npm run bench -- readme` -->'
const END = '<!-- bench: end -->'

/** @throws {Error} where the marks are not. */
export function withHeadlines(readme: string, info: RunInfo, told: readonly Told[]): string {
  const begin = readme.indexOf(BEGIN)
  const end = readme.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`README.md has no place for the table: ${BEGIN} … ${END}`)
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${headlinesOf(info, told)}\n\n${readme.slice(end)}`
}

function headlinesOf({ sittings, quick }: RunInfo, told: readonly Told[]): string {
  const { surroundings: at } = sittings.at(-1)!
  const headlines = told.flatMap(({ section }) => section.headlines)
  const aims = told.flatMap(({ section }) => section.aims)
  const reached = aims.filter((aim) => aim.reached).length
  const machine = `${at.machine}, ${at.cores} cores, ${at.memoryGiB} GiB, Node ${at.node}`
  return [
    '|  | Diptych | in the same run | published |',
    '| --- | --- | --- | --- |',
    ...headlines.map(rowOf),
    '',
    `Measured on ${at.at.slice(0, 10)}: ${machine}, commit ${at.commit}${quick ? ', a quick run' : ''}. ${reached} of ${aims.length} aims reached; which not, and why, is in the run’s report.`,
  ].join('\n')
}

const cell = (text = ''): string => text.replaceAll('|', '\\|')

const rowOf = ({ what, ours, beside, published }: Headline): string =>
  `| ${cell(what)} | ${cell(ours)} | ${cell(beside)} | ${cell(published)} |`
