/**
 * The part of `keystrokes` that measures documents of different lengths: three windows of Diptych, and three of plain Tiptap on Hocuspocus,
 * with the same text. Real keys go into one window, and the same probe runs in all.
 */
import {
  type EditorProgram,
  type EditorProgramName,
  programNames,
  startProgram,
} from '../lengths/editor-programs.ts'
import { type LengthSamples, typeAtLength, WINDOWS } from '../lengths/type-at-length.ts'
import { formatFixed } from '../report/format-figures.ts'
import {
  type Figure,
  type Metric,
  metric,
  ratio,
  type Rounds,
  type SampleRow,
  time,
} from '../report/metrics.ts'
import {
  aim,
  type AimDeclaration,
  besidePeers,
  type SectionDeclaration,
} from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
import { busyReason, diskReason } from '../report/miss-reasons.ts'
import { launchBrowser } from '../support/browser.ts'
import type { Context } from '../support/context.ts'
import type { PlannedTrial, Trial } from '../support/trial.ts'
import { WARM_UP_KEYS } from '../support/type-text.ts'

export type LengthParams = {
  /** Includes the one that types. */
  readonly windows: number
  /** In the document before the first key. */
  readonly characters: number
  /** The number of programs that write meanwhile. */
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

/** The servers live through all trials, as those of the other part do. */
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
  const options = { characters, others, pace, keys, interval, seed: round }
  return typeAtLength(ctx, browser, program, options)
}

type Lengths = Rounds<LengthParams, LengthSamples>

const titles = { ours: 'Diptych', theirs: 'Tiptap on Hocuspocus' } as const
const sides = ['ours', 'theirs'] as const

interface Stage extends SampleRow<LengthSamples> {
  /** The limit of the ratio of its p50 to that of Tiptap on Hocuspocus in the same run. */
  readonly limit: number
}

const ownPaint: Stage = { name: 'own paint', samplesOf: ({ own }) => own, limit: 1.2 }
const appliedElsewhere: Stage = {
  name: 'applied elsewhere',
  samplesOf: ({ applied }) => applied.flat(),
  limit: 1.3,
}
const paintedElsewhere: Stage = {
  name: 'painted elsewhere',
  samplesOf: ({ painted }) => painted.flat(),
  limit: 1.3,
}
const stages = [ownPaint, appliedElsewhere, paintedElsewhere]

const quantiles = ['p50', 'p95'] as const
const stageTime = ({ samplesOf }: Stage, which: 'p50' | 'p95' = 'p50') =>
  time(which, samplesOf, { digits: 2 }) as Metric<LengthParams, LengthSamples>

/** Reports of before it was counted have none. */
const threadTimes = [
  metric('main thread', 'ms', ({ mainThread }: LengthSamples) => mainThread?.all, { digits: 2 }),
  metric('scripts', 'ms', ({ mainThread }: LengthSamples) => mainThread?.scripts, { digits: 2 }),
] as readonly Metric<LengthParams, LengthSamples>[]

/** The trials with one document length and one number of others. */
interface Setting {
  readonly name: string
  readonly characters: number
  readonly others: number
  readonly ours: Lengths
  readonly theirs: Lengths
}

/** `104,000 characters, 5 others writing` */
const settingName = (characters: number, others: number): string =>
  `${formatFixed(characters, 0)} characters${others > 0 ? `, ${others} ${others === 1 ? 'other' : 'others'} writing` : ''}`

/** Lists what was measured, the shortest documents first. */
const settingsIn = (all: Lengths): Setting[] =>
  all
    .groupBy(({ params: { characters, others } }) => settingName(characters, others))
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
      'With documents of different lengths: real key events go into the last paragraph of one window, and two other windows show it, each in its own browser, over plain HTTP. Plain Tiptap on Hocuspocus has the same text, keys and probe. Own paint: the first task after the frame that shows the letter in the window that is typed in. Applied: another window’s Yjs document has it. Painted: the first task after the frame that shows it there. Carets are shown, and Diptych commits each edit before another window receives it.',
    tables: [...settings.map(stagesTable), threadTable(settings), longTasksTable(settings)],
    charts: [...Map.groupBy(settings, ({ others }) => others)].map(([others, own]) => chartOf(others, own)),
    aims: aims.flatMap((own) => [...own.stages, own.longTasks]),
    headlines: headlinesOf(
      settings,
      (setting, stage) => aims[settings.indexOf(setting)]!.stages[stages.indexOf(stage)],
    ),
    notes: [
      'Tiptap on Hocuspocus: StarterKit, Collaboration and CollaborationCaret as Tiptap’s documentation shows them, with Hocuspocus’s provider, in one script. Its server has its defaults, so edits are stored after 2 s.',
      `With documents of different lengths the windows’ clocks differed by at most ${all.max(({ clockDifference }) => clockDifference).toFixed(3)} ms, and times between windows are corrected by that. Keys were pressed at most ${all.max(({ latest }) => latest).toFixed(1)} ms late.`,
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

function threadTable(settings: readonly Setting[]) {
  const figures = threadTimes.flatMap((one) => [
    ...sides.map((whose): Figure<Setting> => ({
      ...one,
      name: `${titles[whose]}, ${one.name}`,
      of: (setting) => one.of(setting[whose]),
    })),
    {
      name: `${one.name} ÷ Tiptap`,
      digits: 2,
      of: ({ ours, theirs }: Setting) => ratio(one, ours, theirs),
    },
  ])
  const note =
    'Of the window that is typed into, from the first key to the last paint, by all keys. It is the thread’s own time, so that other programs on the machine add little to it.'
  return table('Processor time of a key', settings, figures, { head: 'document', note })
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
    { head: 'document', note: 'As the browser reports them, from the first key that counts.' },
  )
}

const chartOf = (others: number, settings: readonly Setting[]) =>
  barChart(
    `Key → own paint and painted elsewhere, p50${others > 0 ? `, ${others} others writing` : ''}`,
    settings.map((setting) => ({ ...setting, name: settingName(setting.characters, 0) })),
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
  const least = shortest.ours.medianText(p50)
  return aim(`Key → ${stage.name} ÷ Tiptap on Hocuspocus, ${name}, p50`, p50, {
    atMost: stage.limit,
    of: ours,
    beside: theirs,
    reasons: [
      `Diptych takes ${formatFixed(ours.median(p50) - theirs.median(p50), 2)} ms longer than Tiptap on Hocuspocus.`,
      shortest.name !== name && least ? `With ${shortest.name} Diptych takes ${least}.` : '',
      stage === ownPaint ? '' : diskReason(ours),
    ],
  })
}

function longTasksAim({ name, ours, theirs }: Setting) {
  const tasks = longTasksOf(ours)
  return {
    name: `Tasks over 50 ms, ${name}`,
    measured: ours.isEmpty ? Number.NaN : tasks.length,
    limit: 0,
    unit: 'tasks',
    reason: [
      `The longest took ${formatFixed(Math.max(...tasks), 0)} ms. The windows of Tiptap on Hocuspocus had ${longTasksOf(theirs).length} in the same run.`,
      busyReason(ours),
    ],
  }
}

/** Shows the longest document, while nobody else writes. */
function headlinesOf(
  settings: readonly Setting[],
  aimAt: (setting: Setting, stage: Stage) => AimDeclaration | undefined,
) {
  const setting = settings.findLast(({ others }) => others === 0)
  if (!setting) return []
  const { name, characters, others, ours, theirs } = setting
  return [ownPaint, paintedElsewhere].map((stage) => ({
    what: `Key → ${stage.name}, a document of ${name} in three windows, p50`,
    ...besidePeers(stageTime(stage), ours, { [theirs.name]: theirs }, 1),
    aims: [aimAt(setting, stage)],
    of: { characters, others },
  }))
}
