/** The measurements of `keystrokes` in documents of a given length, and the figures that are computed from them. */
import type { LengthSamples } from '../lengths/trial.ts'
import type { ProgramName } from '../lengths/programs.ts'
import type { Outcome } from '../support/scenario.ts'
import { overRounds, type Spread, summarise } from '../support/stats.ts'

export interface LengthParams extends Record<string, string | number> {
  /** The one that types included. */
  readonly windows: number
  /** In the document before the first key. */
  readonly characters: number
  /** Programs that write meanwhile. */
  readonly others: number
}

export type LengthData = LengthSamples
export type LengthOutcome = Outcome<LengthParams, LengthData>
export type LengthOutcomes = readonly LengthOutcome[]

export const programTitles: Readonly<Record<ProgramName, string>> = {
  diptych: 'Diptych',
  'tiptap-hocuspocus': 'Tiptap on Hocuspocus',
}

const stages = {
  'own paint': ({ own }) => own,
  'applied elsewhere': ({ applied }) => applied.flat(),
  'painted elsewhere': ({ painted }) => painted.flat(),
} satisfies Record<string, (data: LengthData) => readonly number[]>

export type StageName = keyof typeof stages
export const stageNames = Object.keys(stages) as StageName[]

/** One document length, and one number of others. */
export type Setting = Pick<LengthParams, 'characters' | 'others'>

/** Those that were measured, the shortest first. */
export function settingsIn(outcomes: LengthOutcomes): Setting[] {
  const all = outcomes.map(({ trial: { params } }) => params)
  const distinct = Map.groupBy(all, ({ characters, others }) => `${characters} ${others}`)
  return [...distinct.values()]
    .map(([first]) => ({ characters: first!.characters, others: first!.others }))
    .toSorted((a, b) => a.others - b.others || a.characters - b.characters)
}

/** `104,000 characters, five others writing` */
export const settingWords = ({ characters, others }: Setting): string =>
  `${characters.toLocaleString('en-GB')} characters${others > 0 ? `, ${others} ${others === 1 ? 'other' : 'others'} writing` : ''}`

export const inSetting = (
  outcomes: LengthOutcomes,
  subject: ProgramName,
  { characters, others }: Setting,
): LengthOutcomes =>
  outcomes.filter(
    ({ trial }) =>
      trial.subject === subject && trial.params.characters === characters && trial.params.others === others,
  )

/** Each figure is a round's own; over the rounds it has a median and two ends. */
export const stageFigure = (own: LengthOutcomes, stage: StageName, which: 'p50' | 'p95'): Spread =>
  overRounds(own.map(({ data }) => summarise(stages[stage](data))[which]))

/** The times of all rounds and windows, in ms. */
export const longTasksOf = (own: LengthOutcomes): number[] => own.flatMap(({ data }) => data.longTasks.flat())
