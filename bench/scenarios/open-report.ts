/** What the trials of `open` say. Pure. */
import { settings } from '../crowd/subjects.ts'
import { type Aim, aimAtMost, type Section, type Table } from '../report/section.ts'
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
  return {
    method: `The recorded writing of a paper, ${edits.toLocaleString('en-GB')} edits, written into each server one by one. Cold: nobody has opened it since the server started. Warm: somebody has it open. Without a browser: from the first packet until the text is in a Y.Doc, Diptych by its own client, Hocuspocus by the least that a client can do.`,
    tables: [...headlessTable(outcomes), ...browserTable(outcomes)],
    charts: [],
    aims: aimsOf(outcomes),
    headlines: [],
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
          name,
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

function aimsOf(outcomes: readonly One[]): Aim[] {
  const [ours, theirs] = ['diptych', 'hocuspocus'].map((name) => headlessOf(outcomes, name)) as [
    Headless[],
    Headless[],
  ]
  if (ours.length === 0 || theirs.length === 0) return []
  return [
    { name: 'Cold join, beside Hocuspocus', measured: cold(ours).median / cold(theirs).median },
    { name: 'Warm join, beside Hocuspocus', measured: warm(ours).median / warm(theirs).median },
  ].map((aim) => aimAtMost({ ...aim, limit: 0.5, unit: '×' }))
}

/** Times of different texts are not compared in silence. */
function unlike(outcomes: readonly One[]): string[] {
  const letters = new Set(outcomes.flatMap(({ data }) => (data.kind === 'headless' ? [data.letters] : [])))
  return letters.size > 1 ? [`The texts are not alike: ${[...letters].join(', ')} letters.`] : []
}
