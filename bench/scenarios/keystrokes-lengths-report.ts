/** What the keystrokes say of documents of a length: a table for each, and one of tasks that were too long. */
import type { ProgramName } from '../lengths/programs.ts'
import { programNames } from '../lengths/programs.ts'
import type { BarChart, Section, Table } from '../report/section.ts'
import { lengthAims, lengthHeadlines } from './keystrokes-lengths-aims.ts'
import {
  inSetting,
  type LengthOutcomes,
  longTasksOf,
  programTitles,
  type Setting,
  settingsIn,
  settingWords,
  stageFigure,
  stageNames,
} from './keystrokes-lengths-figures.ts'

export function lengthReport(outcomes: LengthOutcomes): Section {
  const settings = settingsIn(outcomes)
  const most = (figure: (data: LengthOutcomes[number]['data']) => number) =>
    Math.max(...outcomes.map(({ data }) => figure(data)))
  const aims = lengthAims(outcomes)
  return {
    method:
      'With documents of a length: real key events go into the last paragraph of one window and two other windows show it, each in a browser of its own, over plain HTTP. Plain Tiptap on Hocuspocus has the same text, the same keys and the same probe: own paint is the first task after the frame that shows the key’s letter in the window typed in, applied the moment at which another window’s Yjs document has it, painted the first task after the frame that shows it there. Carets are shown, and each edit of Diptych’s is committed before another window hears of it.',
    tables: [
      ...settings.map((setting) => stagesTable(outcomes, setting)),
      longTasksTable(outcomes, settings),
    ],
    charts: chartsOf(outcomes, settings),
    aims,
    headlines: lengthHeadlines(outcomes, aims),
    notes: [
      'Tiptap on Hocuspocus: StarterKit, Collaboration and CollaborationCaret as Tiptap’s documentation shows them, Hocuspocus’s provider, one script; its server with its defaults, edits are stored 2 s after.',
      `With documents of a length the windows’ clocks differed by at most ${most(({ clockDifference }) => clockDifference).toFixed(3)} ms, by which times between them are corrected; keys went down at most ${most(({ latest }) => latest).toFixed(1)} ms late.`,
    ],
  }
}

const ms = { unit: 'ms', digits: 2 } as const
const quantiles = ['p50', 'p95'] as const

function stagesTable(outcomes: LengthOutcomes, setting: Setting): Table {
  const of = (subject: ProgramName) => inSetting(outcomes, subject, setting)
  return {
    title: `Key → three windows, ${settingWords(setting)}`,
    columns: [
      { name: 'stage' },
      ...programNames.flatMap((subject) =>
        quantiles.map((which) => ({ name: `${programTitles[subject]} ${which}`, ...ms })),
      ),
      ...quantiles.map((which) => ({ name: `${which} ÷ Tiptap`, digits: 2 })),
    ],
    rows: stageNames.map((stage) => {
      const figure = (subject: ProgramName, which: 'p50' | 'p95') => {
        const own = of(subject)
        return own.length === 0 ? null : stageFigure(own, stage, which)
      }
      const ratio = (which: 'p50' | 'p95') => {
        const [ours, theirs] = [figure('diptych', which), figure('tiptap-hocuspocus', which)]
        return ours && theirs ? ours.median / theirs.median : null
      }
      return [
        stage,
        ...programNames.flatMap((subject) => quantiles.map((which) => figure(subject, which))),
        ...quantiles.map(ratio),
      ]
    }),
  }
}

function longTasksTable(outcomes: LengthOutcomes, settings: readonly Setting[]): Table {
  const cells = (subject: ProgramName, setting: Setting) => {
    const own = inSetting(outcomes, subject, setting)
    if (own.length === 0) return [null, null]
    const tasks = longTasksOf(own)
    return [tasks.length, tasks.length === 0 ? null : Math.max(...tasks)]
  }
  return {
    title: 'Tasks over 50 ms, all windows and rounds',
    columns: [
      { name: 'document' },
      ...programNames.flatMap((subject) => [
        { name: `${programTitles[subject]}, tasks`, digits: 0 },
        { name: `${programTitles[subject]}, the longest`, unit: 'ms', digits: 0 },
      ]),
    ],
    rows: settings.map((setting) => [
      settingWords(setting),
      ...programNames.flatMap((subject) => cells(subject, setting)),
    ]),
    note: 'As the browser itself tells of them, from the first key that counts.',
  }
}

/** A chart for each number of others. */
function chartsOf(outcomes: LengthOutcomes, settings: readonly Setting[]): BarChart[] {
  return [...Map.groupBy(settings, ({ others }) => others)].map(([others, own]) => ({
    kind: 'bars',
    title: `Key → own paint and painted elsewhere, p50${others > 0 ? `, ${others} others writing` : ''}`,
    unit: 'ms',
    groups: own.map(({ characters }) => settingWords({ characters, others: 0 })),
    series: (['own paint', 'painted elsewhere'] as const).flatMap((stage) =>
      programNames.map((subject) => ({
        name: `${programTitles[subject]}, ${stage}`,
        values: own.map((setting) => {
          const rounds = inSetting(outcomes, subject, setting)
          return rounds.length === 0 ? null : stageFigure(rounds, stage, 'p50')
        }),
      })),
    ),
  }))
}
