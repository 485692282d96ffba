/** The aims of `keystrokes` in documents of a given length, and its rows of the table of headlines. They are reported, never asserted. */
import type { ProgramName } from '../lengths/programs.ts'
import { plain } from '../report/figures.ts'
import { becauseBusy, becauseOfDisk, sentences } from '../report/reasons.ts'
import { type Aim, aimAtMost, type Headline, measuredAims } from '../report/section.ts'
import {
  inSetting,
  type LengthOutcomes,
  longTasksOf,
  type Setting,
  settingsIn,
  settingWords,
  stageFigure,
  type StageName,
  stageNames,
} from './keystrokes-lengths-figures.ts'

/** The highest ratio of a stage's p50 to that of Tiptap on Hocuspocus in the same run. */
const MOST: Readonly<Record<StageName, number>> = {
  'own paint': 1.2,
  'applied elsewhere': 1.3,
  'painted elsewhere': 1.3,
}

export const lengthAims = (outcomes: LengthOutcomes): Aim[] =>
  settingsIn(outcomes).flatMap((setting) => [
    ...besideTiptap(outcomes, setting),
    ...longTasks(outcomes, setting),
  ])

const p50 = (outcomes: LengthOutcomes, subject: ProgramName, setting: Setting, stage: StageName): number =>
  stageFigure(inSetting(outcomes, subject, setting), stage, 'p50').median

const aimName = (stage: StageName, setting: Setting): string =>
  `Key → ${stage} ÷ Tiptap on Hocuspocus, ${settingWords(setting)}, p50`

function besideTiptap(outcomes: LengthOutcomes, setting: Setting): Aim[] {
  return measuredAims(
    stageNames.map((stage) => {
      const [ours, theirs] = [
        p50(outcomes, 'diptych', setting, stage),
        p50(outcomes, 'tiptap-hocuspocus', setting, stage),
      ]
      return {
        name: aimName(stage, setting),
        measured: ours / theirs,
        limit: MOST[stage],
        unit: '×',
        reason: reasonOf(outcomes, setting, stage, ours - theirs),
      }
    }),
  )
}

function reasonOf(outcomes: LengthOutcomes, setting: Setting, stage: StageName, beyond: number): string {
  const own = inSetting(outcomes, 'diptych', setting)
  return sentences(
    `It is ${plain(beyond, 2)} ms beyond Tiptap on Hocuspocus.`,
    shortestWords(outcomes, setting, stage),
    stage === 'own paint' ? '' : becauseOfDisk(own),
    becauseBusy(own),
  )
}

/** How much of it comes with the length. */
function shortestWords(outcomes: LengthOutcomes, setting: Setting, stage: StageName): string {
  const shortest = settingsIn(outcomes).find(({ others }) => others === setting.others)!
  const ours = p50(outcomes, 'diptych', shortest, stage)
  return shortest.characters === setting.characters || Number.isNaN(ours)
    ? ''
    : `With ${settingWords(shortest)} Diptych has ${plain(ours, 2)} ms.`
}

function longTasks(outcomes: LengthOutcomes, setting: Setting): Aim[] {
  const own = inSetting(outcomes, 'diptych', setting)
  if (own.length === 0) return []
  const tasks = longTasksOf(own)
  const theirs = longTasksOf(inSetting(outcomes, 'tiptap-hocuspocus', setting))
  return [
    aimAtMost({
      name: `Tasks over 50 ms, ${settingWords(setting)}`,
      measured: tasks.length,
      limit: 0,
      unit: 'tasks',
      reason: sentences(
        `The longest took ${plain(Math.max(...tasks), 0)} ms; the windows of Tiptap on Hocuspocus had ${theirs.length} in the same run.`,
        becauseBusy(own),
      ),
    }),
  ]
}

/** The longest document while nobody else writes. */
export function lengthHeadlines(outcomes: LengthOutcomes, aims: readonly Aim[]): Headline[] {
  const setting = settingsIn(outcomes).findLast(({ others }) => others === 0)
  if (!setting) return []
  return (['own paint', 'painted elsewhere'] as const).flatMap((stage) => {
    const [ours, theirs] = [
      p50(outcomes, 'diptych', setting, stage),
      p50(outcomes, 'tiptap-hocuspocus', setting, stage),
    ]
    if (Number.isNaN(ours) || Number.isNaN(theirs)) return []
    return {
      what: `Key → ${stage}, a document of ${settingWords(setting)} in three windows, p50`,
      ours: `${plain(ours)} ms`,
      beside: `Tiptap on Hocuspocus ${plain(theirs)} ms`,
      aims: aims.filter(({ name }) => name === aimName(stage, setting)),
      of: { ...setting },
    }
  })
}
