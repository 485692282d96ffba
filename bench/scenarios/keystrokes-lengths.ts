/**
 * The part of `keystrokes` in which documents have a length: three windows of Diptych and three of plain Tiptap on Hocuspocus, the same
 * text in both, real keys into one of them, and the same probe in all.
 */
import {
  type EditorProgram,
  type EditorProgramName,
  programNames,
  startProgram,
} from '../lengths/editor-programs.ts'
import { type LengthSamples, typeAtLength, WINDOWS } from '../lengths/type-at-length.ts'
import { plain } from '../report/figures.ts'
import {
  type AimDeclaration,
  bars,
  type Figure,
  type Metric,
  ratio,
  type Rounds,
  type SampleRow,
  type SectionDeclaration,
  table,
  time,
} from '../report/metrics.ts'
import { becauseBusy, becauseOfDisk } from '../report/reasons.ts'
import { launchBrowser } from '../support/browser.ts'
import type { Context } from '../support/context.ts'
import type { PlannedTrial, Trial } from '../support/trial.ts'
import { WARM_UP_KEYS } from '../support/type-text.ts'

export type LengthParams = {
  /** The one that types included. */
  readonly windows: number
  /** In the document before the first key. */
  readonly characters: number
  /** Programs that write meanwhile. */
  readonly others: number
}

export interface LengthOptions {
  readonly characters: readonly number[]
  readonly others: readonly number[]
  readonly pace: number
  readonly keys: number
  readonly interval: number
}

export const planLengths = ({ characters, others }: LengthOptions): PlannedTrial<LengthParams>[] =>
  characters.flatMap((length) =>
    others.flatMap((count) =>
      programNames.map((subject) => ({
        subject,
        lane: 'websocket',
        params: { windows: WINDOWS, characters: length, others: count },
      })),
    ),
  )

export const estimateLength = ({ others }: LengthParams, { keys, interval }: LengthOptions): number =>
  5 + 1.2 * WINDOWS + (others > 0 ? 2 : 0) + ((keys + WARM_UP_KEYS) * interval) / 1000

/** The servers are warm after the first trials, as those of the other part are. */
export async function runLength(
  { subject, params: { characters, others }, round }: Trial<LengthParams>,
  ctx: Context,
  { pace, keys, interval }: LengthOptions,
): Promise<LengthSamples> {
  const browser = await ctx.shared('browser of lengths', launchBrowser)
  const program = await ctx.shared<EditorProgram>(
    `${subject} with lengths`,
    startProgram[subject as EditorProgramName],
  )
  const order = { characters, others, pace, keys, interval, seed: round }
  return typeAtLength(ctx, browser, program, order)
}

type Lengths = Rounds<LengthParams, LengthSamples>

const titles = { ours: 'Diptych', theirs: 'Tiptap on Hocuspocus' } as const
const sides = ['ours', 'theirs'] as const

/** `most` is the highest ratio of its p50 to that of Tiptap on Hocuspocus in the same run. */
interface Stage extends SampleRow<LengthSamples> {
  readonly most: number
}

const ownPaint: Stage = { name: 'own paint', samplesOf: ({ own }) => own, most: 1.2 }
const appliedElsewhere: Stage = {
  name: 'applied elsewhere',
  samplesOf: ({ applied }) => applied.flat(),
  most: 1.3,
}
const paintedElsewhere: Stage = {
  name: 'painted elsewhere',
  samplesOf: ({ painted }) => painted.flat(),
  most: 1.3,
}
const stages = [ownPaint, appliedElsewhere, paintedElsewhere]

const quantiles = ['p50', 'p95'] as const
const stageTime = ({ samplesOf }: Stage, which: 'p50' | 'p95' = 'p50') =>
  time(which, samplesOf, { digits: 2 }) as Metric<LengthParams, LengthSamples>

/** One document length and one number of others. */
interface Setting {
  readonly name: string
  readonly characters: number
  readonly others: number
  readonly ours: Lengths
  readonly theirs: Lengths
}

/** `104,000 characters, 5 others writing` */
const settingWords = (characters: number, others: number): string =>
  `${plain(characters, 0)} characters${others > 0 ? `, ${others} ${others === 1 ? 'other' : 'others'} writing` : ''}`

/** Those that were measured, the shortest first. */
const settingsIn = (all: Lengths): Setting[] =>
  all
    .by(({ params: { characters, others } }) => settingWords(characters, others))
    .map((rounds) => ({
      ...rounds.params!,
      name: rounds.name,
      ours: rounds.where({ subject: 'diptych' }, titles.ours),
      theirs: rounds.where({ subject: 'tiptap-hocuspocus' }, titles.theirs),
    }))
    .toSorted((a, b) => a.others - b.others || a.characters - b.characters)

const longTasksOf = (rounds: Lengths): number[] => rounds.figures(({ longTasks }) => longTasks.flat())

export function reportLengths(all: Lengths): SectionDeclaration {
  const settings = settingsIn(all)
  const aims = settings.map((setting) => ({
    stages: stages.map((stage) => aimOf(stage, setting, settings)),
    longTasks: longTasksAim(setting),
  }))
  return {
    method:
      'With documents of a length: real key events go into the last paragraph of one window and two other windows show it, each in a browser of its own, over plain HTTP. Plain Tiptap on Hocuspocus has the same text, the same keys and the same probe: own paint is the first task after the frame that shows the key’s letter in the window typed in, applied the moment at which another window’s Yjs document has it, painted the first task after the frame that shows it there. Carets are shown, and each edit of Diptych’s is committed before another window hears of it.',
    tables: [...settings.map(stagesTable), longTasksTable(settings)],
    charts: [...Map.groupBy(settings, ({ others }) => others)].map(([others, own]) => chartOf(others, own)),
    aims: aims.flatMap((own) => [...own.stages, own.longTasks]),
    headlines: headlinesOf(
      settings,
      (setting, stage) => aims[settings.indexOf(setting)]!.stages[stages.indexOf(stage)],
    ),
    notes: [
      'Tiptap on Hocuspocus: StarterKit, Collaboration and CollaborationCaret as Tiptap’s documentation shows them, Hocuspocus’s provider, one script; its server with its defaults, edits are stored 2 s after.',
      `With documents of a length the windows’ clocks differed by at most ${all.most(({ clockDifference }) => clockDifference).toFixed(3)} ms, by which times between them are corrected; keys went down at most ${all.most(({ latest }) => latest).toFixed(1)} ms late.`,
    ],
  }
}

function stagesTable({ name, ours, theirs }: Setting) {
  const figures = [ours, theirs].flatMap((rounds) =>
    quantiles.map((which): Figure<Stage> => ({
      ...stageTime(ownPaint, which),
      name: `${rounds.name} ${which}`,
      of: (stage) => stageTime(stage, which).of(rounds),
    })),
  )
  const ratios = quantiles.map((which): Figure<Stage> => ({
    name: `${which} ÷ Tiptap`,
    digits: 2,
    of: (stage) => ratio(stageTime(stage, which), ours, theirs),
  }))
  return table(`Key → three windows, ${name}`, stages, [...figures, ...ratios], { head: 'stage' })
}

function longTasksTable(settings: readonly Setting[]) {
  const column = (
    whose: keyof typeof titles,
    what: string,
    unit: string,
    of: (tasks: number[]) => number | null,
  ) => ({
    name: `${titles[whose]}, ${what}`,
    ...(unit && { unit }),
    digits: 0,
    better: 'less' as const,
    of: (setting: Setting) => (setting[whose].isEmpty ? null : of(longTasksOf(setting[whose]))),
  })
  return table(
    'Tasks over 50 ms, all windows and rounds',
    settings,
    sides.flatMap((whose) => [
      column(whose, 'tasks', '', ({ length }) => length),
      column(whose, 'the longest', 'ms', (tasks) => (tasks.length === 0 ? null : Math.max(...tasks))),
    ]),
    { head: 'document', note: 'As the browser itself tells of them, from the first key that counts.' },
  )
}

const chartOf = (others: number, settings: readonly Setting[]) =>
  bars(
    `Key → own paint and painted elsewhere, p50${others > 0 ? `, ${others} others writing` : ''}`,
    settings.map((setting) => ({ ...setting, name: settingWords(setting.characters, 0) })),
    [ownPaint, paintedElsewhere].flatMap((stage) =>
      sides.map((whose) => ({
        name: `${titles[whose]}, ${stage.name}`,
        of: (setting: Setting) => stageTime(stage).of(setting[whose]),
      })),
    ),
    { unit: 'ms' },
  )

function aimOf(stage: Stage, { name, others, ours, theirs }: Setting, settings: readonly Setting[]) {
  const p50 = stageTime(stage)
  const shortest = settings.find((one) => one.others === others)!
  const least = shortest.ours.words(p50)
  return {
    name: `Key → ${stage.name} ÷ Tiptap on Hocuspocus, ${name}, p50`,
    measured: ratio(p50, ours, theirs),
    limit: stage.most,
    unit: '×',
    reason: [
      `It is ${plain(ours.median(p50) - theirs.median(p50), 2)} ms beyond Tiptap on Hocuspocus.`,
      // How much of it comes with the length.
      shortest.name !== name && least ? `With ${shortest.name} Diptych has ${least}.` : '',
      stage === ownPaint ? '' : becauseOfDisk(ours),
      becauseBusy(ours),
    ],
  }
}

function longTasksAim({ name, ours, theirs }: Setting) {
  const tasks = longTasksOf(ours)
  return {
    name: `Tasks over 50 ms, ${name}`,
    measured: ours.isEmpty ? Number.NaN : tasks.length,
    limit: 0,
    unit: 'tasks',
    reason: [
      `The longest took ${plain(Math.max(...tasks), 0)} ms; the windows of Tiptap on Hocuspocus had ${longTasksOf(theirs).length} in the same run.`,
      becauseBusy(ours),
    ],
  }
}

/** The longest document while nobody else writes. */
function headlinesOf(
  settings: readonly Setting[],
  aimAt: (setting: Setting, stage: Stage) => AimDeclaration | undefined,
) {
  const setting = settings.findLast(({ others }) => others === 0)
  if (!setting || setting.theirs.isEmpty) return []
  const { name, characters, others, ours, theirs } = setting
  return [ownPaint, paintedElsewhere].map((stage) => ({
    what: `Key → ${stage.name}, a document of ${name} in three windows, p50`,
    ours: ours.words(stageTime(stage), '', 1),
    beside: theirs.words(stageTime(stage), theirs.name, 1),
    aims: [aimAt(setting, stage)],
    of: { characters, others },
  }))
}
