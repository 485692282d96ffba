/** The README's table of headlines, between two marks: made from runs, never by hand. */
import type { Picked } from '../run/newest.ts'
import { missesOf, saturatedIn, verdictsOf } from './aims.ts'
import { diskWords } from './reasons.ts'
import type { Headline } from './section.ts'

const BEGIN = '<!-- bench: made by `npm run bench -- readme` -->'
const END = '<!-- bench: end -->'

/** @throws {Error} where the marks are not. */
export function withHeadlines(readme: string, picked: readonly Picked[]): string {
  const begin = readme.indexOf(BEGIN)
  const end = readme.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`README.md has no place for the table: ${BEGIN} … ${END}`)
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${headlinesOf(picked)}\n\n${readme.slice(end)}`
}

function headlinesOf(picked: readonly Picked[]): string {
  const aims = picked.flatMap(({ told }) => told.section.aims)
  const reached = aims.filter((aim) => aim.reached).length
  const missed = picked.flatMap(missedOf)
  return [
    '|  | Diptych | in the same run | published | aim |',
    '| --- | --- | --- | --- | --- |',
    ...picked.flatMap((one) =>
      one.told.section.headlines.map((headline) => rowOf(headline, markOf(one, headline))),
    ),
    '',
    ...saturationOf(picked),
    `${reached} of ${aims.length} aims reached.${missed.length > 0 ? ' Missed, and why:' : ''}`,
    ...(missed.length > 0 ? ['', ...missed] : []),
    '',
    ...failedOf(picked),
    ...sourcesOf(picked).map((line) => `- ${line}`),
    ...diskOf(picked).map((line) => `- ${line}`),
  ].join('\n')
}

const saturationOf = (picked: readonly Picked[]): string[] =>
  picked.some(({ told }) => told.section.headlines.some(({ saturated }) => saturated))
    ? ['Saturated: the machine was more than 80 % busy, so that times are those of waiting for a core.', '']
    : []

function diskOf(picked: readonly Picked[]): string[] {
  const fsync = picked.flatMap(({ told }) => told.fsync)
  return fsync.length === 0 ? [] : [`The disk by itself between these trials: ${diskWords(fsync)}.`]
}

/** A figure that is coarse says so where it stands. */
function markOf({ info, told }: Picked, headline: Headline): string {
  const marks = [
    ...(info.quick ? ['quick run'] : []),
    ...(told.missing > 0 ? ['unfinished'] : []),
    ...saturatedIn(headline),
  ]
  return marks.length > 0 ? ` (${marks.join(', ')})` : ''
}

const cell = (text = ''): string => text.replaceAll('|', '\\|')

const rowOf = ({ what, ours, beside, published, aims = [] }: Headline, mark: string): string =>
  `| ${[what + mark, ours, beside, published, verdictsOf(aims)].map(cell).join(' | ')} |`

/** At most so many of a scenario by name. */
const FAILURES = 5

function failedOf(picked: readonly Picked[]): string[] {
  const lines = picked.flatMap(({ told: { name }, failed }) => {
    const rest = failed.length - FAILURES
    const named = [...failed.slice(0, FAILURES), ...(rest > 0 ? [`${rest} more`] : [])]
    return failed.length > 0 ? [`- **${name}**: ${named.join('; ')}.`] : []
  })
  return lines.length > 0 ? ['Trials that failed, in these runs or in newer ones:', '', ...lines, ''] : []
}

const missedOf = ({ told: { name, section } }: Picked): string[] =>
  missesOf(section).map(({ what, reason }) => `- **${name}**: ${what}. ${reason}`)

/** What was measured alike, in however many runs, stands together. */
function sourcesOf(picked: readonly Picked[]): string[] {
  const alike = Map.groupBy(picked, ({ info: { sittings, quick } }) => {
    const { surroundings: at } = sittings.at(-1)!
    return `Measured on ${at.at.slice(0, 10)}, commit ${at.commit || 'unknown'}, ${at.machine}, ${at.cores} cores, ${at.memoryGiB} GiB, Node ${at.node}${quick ? ', a quick run' : ''}`
  })
  return [...alike].map(([how, own]) => `${how}: ${own.map(nameOf).join(', ')}.`)
}

const nameOf = ({ told: { name }, otherwise }: Picked): string =>
  otherwise.length > 0 ? `${name} (with ${otherwise.join(', ')})` : name
