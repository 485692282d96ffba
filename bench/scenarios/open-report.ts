/** What the trials of `open` say. Pure. */
import { programOf, settings } from '../crowd/subjects.ts'
import { plain } from '../report/figures.ts'
import { becauseBusy, sentences } from '../report/reasons.ts'
import {
  type Aim,
  type BarChart,
  type Headline,
  measuredAims,
  type Section,
  type Table,
} from '../report/section.ts'
import type { Outcome } from '../support/scenario.ts'
import { overRounds, type Spread } from '../support/stats.ts'

export interface Headless {
  readonly kind: 'headless'
  readonly coldMs: number
  readonly warmMs: readonly number[]
  /** The least that any of them had. */
  readonly letters: number
  readonly coldCpuMs: number
  /** Of one of them. */
  readonly warmCpuMs: number
  readonly residentKiB: number
}

/** ms since navigation. */
export interface Shown {
  readonly painted: number
  readonly editable: number
}

export interface InBrowser {
  readonly kind: 'browser'
  readonly cold: Shown
  readonly warm: Shown
}

export type Measured = Headless | InBrowser

interface About {
  readonly [name: string]: number
  readonly edits: number
}

type One = Outcome<About, Measured>

export function report(outcomes: readonly One[]): Section {
  const { edits } = outcomes[0]!.trial.params
  const aims = aimsOf(outcomes)
  return {
    method: `The recorded writing of a paper, ${edits.toLocaleString('en-GB')} edits, written into each server one by one. Cold: nobody has opened it since the server started. Warm: somebody has it open. Without a browser: from the first packet until the text is in a Y.Doc, Diptych by its own client, Hocuspocus by the least that a client can do.`,
    tables: [...headlessTable(outcomes), ...browserTable(outcomes)],
    charts: [chartOf(outcomes)],
    aims,
    headlines: headlinesOf(outcomes, aims),
    notes: [settings['hocuspocus']!, ...unlike(outcomes)],
  }
}

const headlessOf = (outcomes: readonly One[], subject: string): Headless[] =>
  outcomes
    .filter(({ trial }) => trial.subject === subject)
    .flatMap(({ data }) => (data.kind === 'headless' ? [data] : []))

const middle = (all: readonly number[]): number => overRounds(all).median

const cold = (rounds: readonly Headless[]): Spread => overRounds(rounds.map(({ coldMs }) => coldMs))
const warm = (rounds: readonly Headless[]): Spread => overRounds(rounds.map(({ warmMs }) => middle(warmMs)))

function headlessTable(outcomes: readonly One[]): Table[] {
  const subjects = ['diptych', 'hocuspocus'].filter((name) => headlessOf(outcomes, name).length > 0)
  if (subjects.length === 0) return []
  return [
    {
      title: 'Without a browser',
      columns: [
        { name: '' },
        { name: 'cold', unit: 'ms', digits: 0 },
        { name: 'warm', unit: 'ms', digits: 0 },
        { name: 'server CPU, cold', unit: 'ms', digits: 0 },
        { name: 'server CPU, warm', unit: 'ms', digits: 0 },
        { name: 'resident', unit: 'MiB', digits: 0 },
      ],
      rows: subjects.map((name) => {
        const rounds = headlessOf(outcomes, name)
        return [
          programOf(name),
          cold(rounds),
          warm(rounds),
          overRounds(rounds.map(({ coldCpuMs }) => coldCpuMs)),
          overRounds(rounds.map(({ warmCpuMs }) => warmCpuMs)),
          overRounds(rounds.map(({ residentKiB }) => residentKiB / 1024)),
        ]
      }),
    },
  ]
}

function browserTable(outcomes: readonly One[]): Table[] {
  const rounds = outcomes.flatMap(({ data }) => (data.kind === 'browser' ? [data] : []))
  if (rounds.length === 0) return []
  return [
    {
      title: 'In the editor, in a browser that has never been here',
      columns: [
        { name: 'Diptych' },
        { name: 'text painted', unit: 'ms', digits: 0 },
        { name: 'editable', unit: 'ms', digits: 0 },
      ],
      rows: (['cold', 'warm'] as const).map((which) => [
        which,
        overRounds(rounds.map((round) => round[which].painted)),
        overRounds(rounds.map((round) => round[which].editable)),
      ]),
      note: 'Since the navigation, page and scripts included.',
    },
  ]
}

function chartOf(outcomes: readonly One[]): BarChart {
  const [ours, theirs] = both(outcomes)
  const pages = outcomes.flatMap(({ data }) => (data.kind === 'browser' ? [data] : []))
  const joined = (rounds: readonly Headless[]) =>
    rounds.length > 0 ? [cold(rounds), warm(rounds)] : [null, null]
  const inEditor = (['cold', 'warm'] as const).flatMap((which) =>
    (['painted', 'editable'] as const).map((what) => ({
      name: `In the editor, ${which}: ${what}`,
      time: pages.length > 0 ? overRounds(pages.map((page) => page[which][what])) : null,
    })),
  )
  return {
    kind: 'bars',
    title: 'Until the text is there',
    unit: 'ms',
    groups: ['Without a browser, cold', 'Without a browser, warm', ...inEditor.map(({ name }) => name)],
    series: [
      { name: 'Diptych', values: [...joined(ours), ...inEditor.map(({ time }) => time)] },
      { name: 'Hocuspocus', values: [...joined(theirs), ...inEditor.map(() => null)] },
    ],
  }
}

const both = (outcomes: readonly One[]) =>
  [headlessOf(outcomes, 'diptych'), headlessOf(outcomes, 'hocuspocus')] as const

function aimsOf(outcomes: readonly One[]): Aim[] {
  const [ours, theirs] = both(outcomes)
  const aim = (
    name: string,
    time: (rounds: readonly Headless[]) => Spread,
    cpuMs: (round: Headless) => number,
  ): Omit<Aim, 'reached'> => ({
    name,
    measured: time(ours).median / time(theirs).median,
    limit: 0.5,
    unit: '×',
    reason: sentences(
      `Of Diptych’s ${plain(time(ours).median, 0)} ms its server’s processor takes ${plain(middle(ours.map(cpuMs)), 0)} ms; the rest is the way there and the client’s own building of the text, which Hocuspocus’s time has in it, too.`,
      becauseBusy(outcomes.filter(({ trial }) => trial.subject === 'diptych')),
    ),
  })
  return measuredAims([
    aim(names.cold, cold, ({ coldCpuMs }) => coldCpuMs),
    aim(names.warm, warm, ({ warmCpuMs }) => warmCpuMs),
  ])
}

const names = { cold: 'Cold join, beside Hocuspocus', warm: 'Warm join, beside Hocuspocus' } as const

function headlinesOf(outcomes: readonly One[], aims: readonly Aim[]): Headline[] {
  const [ours, theirs] = both(outcomes)
  if (ours.length === 0 || theirs.length === 0) return []
  const edits = outcomes[0]!.trial.params.edits.toLocaleString('en-GB')
  const row = (which: 'cold' | 'warm', what: string, time: (rounds: readonly Headless[]) => Spread) => ({
    what,
    ours: `${plain(time(ours).median, 0)} ms`,
    beside: `Hocuspocus ${plain(time(theirs).median, 0)} ms`,
    aims: aims.filter(({ name }) => name === names[which]),
    of: { lane: 'headless' },
  })
  return [
    row('cold', `A document of ${edits} edits joined without a browser, nobody having it open`, cold),
    row('warm', 'The same, somebody having it open', warm),
    ...inEditor(outcomes),
  ]
}

function inEditor(outcomes: readonly One[]): Headline[] {
  const painted = outcomes.flatMap(({ data }) => (data.kind === 'browser' ? [data.cold.painted] : []))
  const editable = outcomes.flatMap(({ data }) => (data.kind === 'browser' ? [data.cold.editable] : []))
  if (painted.length === 0) return []
  return [
    {
      what: 'The same in the editor of a browser that has never been here: text painted, editable',
      ours: `${plain(middle(painted), 0)} ms, ${plain(middle(editable), 0)} ms`,
      of: { lane: 'browser' },
    },
  ]
}

/** Times of different texts are not compared in silence. */
function unlike(outcomes: readonly One[]): string[] {
  const letters = new Set(outcomes.flatMap(({ data }) => (data.kind === 'headless' ? [data.letters] : [])))
  return letters.size > 1 ? [`The texts are not alike: ${[...letters].join(', ')} letters.`] : []
}
