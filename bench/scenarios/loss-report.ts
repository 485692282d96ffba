/** What the trials of `loss` say. Pure. */
import type { Audit } from '../crowd/ledger.ts'
import { settings } from '../crowd/subjects.ts'
import { loss as published, sources } from '../published.ts'
import { plain } from '../report/figures.ts'
import { type Aim, aimAtMost, type Cell, type Headline, type Section, type Table } from '../report/section.ts'
import type { Outcome } from '../support/scenario.ts'
import { overRounds } from '../support/stats.ts'
import { tTest } from '../support/t-test.ts'

/** `bytes` counts what `times` says, through a proxy that would falsify its times. */
export type Part = 'times' | 'bytes'

export interface About {
  readonly [name: string]: number | string
  readonly users: number
  readonly nodes: number
  readonly part: Part
}

export interface Round {
  readonly meanMs: number
  readonly p99Ms: number
}

export interface Measured {
  readonly rounds: readonly Round[]
  readonly audit: Audit
  readonly lost: { readonly count: number; readonly why: string }
  /** Letters in the store once the server was stopped; null where nothing is kept. */
  readonly stored: number | null
  /** On the wire, of all rounds; of `bytes` alone. */
  readonly bytes?: { readonly up: number; readonly down: number }
}

type One = Outcome<About, Measured>

const SIGNIFICANT = 0.05

export function report(outcomes: readonly One[]): Section {
  const timed = outcomes.filter(({ data }) => !data.bytes)
  const ours = outcomes.filter(({ trial }) => trial.subject === 'diptych')
  const lostOurs = ours.reduce((sum, one) => sum + lostAtReceivers(one) + (lostInStore(one) ?? 0), 0)
  const aims =
    ours.length === 0
      ? []
      : [aimAtMost({ name: 'Lost by Diptych, at every N', measured: lostOurs, limit: 0, unit: 'lost' })]
  return {
    method:
      'Each of N clients says one letter, all at the same moment, in documents of 50 people each; the next round begins once all of it has arrived. Counted by id at every receiver and, after the server was stopped, in its store.',
    tables: [lossTable(timed), ...bytesTable(outcomes), tTestTable(timed), publishedTable],
    charts: [
      {
        kind: 'lines',
        title: 'Mean time to a receiver',
        x: { name: 'users', unit: '', scale: 'log' },
        y: { name: 'mean', unit: 'ms', scale: 'log' },
        series: [
          ...[...new Set(outcomes.map(({ trial }) => trial.subject))].map((name) => ({
            name,
            points: timed
              .filter(({ trial }) => trial.subject === name)
              .map((one) => [one.trial.params.users, overRounds(meansOf(one)).median] as const),
          })),
          {
            name: `published, without a broker (${sources.loss.short})`,
            points: published.map(({ users, meanMs }) => [users, meanMs[0]] as const),
            published: true,
          },
        ],
      },
    ],
    aims,
    headlines: headlinesOf(outcomes, aims),
    notes: [
      'All to all at 10,000 would be 100 million deliveries a round: hence documents of 50.',
      'With 5,000 and more there are fewer rounds than the published 30, for time’s sake.',
      ...outcomes
        .filter(({ data }) => data.lost.count > 0)
        .map(
          ({ trial, data }) =>
            `${trial.subject}, ${trial.params.users}: ${data.lost.count} connections ended (${data.lost.why}).`,
        ),
      ...[...new Set(outcomes.map(({ trial }) => trial.subject))].flatMap((name) => settings[name] ?? []),
    ],
  }
}

function headlinesOf(outcomes: readonly One[], aims: readonly Aim[]): Headline[] {
  const users = Math.max(...outcomes.map(({ trial }) => trial.params.users))
  const words = (subject: string): string => {
    const own = outcomes.filter(({ trial }) => trial.subject === subject)
    const lost = own.reduce((sum, one) => sum + lostAtReceivers(one) + (lostInStore(one) ?? 0), 0)
    const said = own.reduce((sum, one) => sum + saidIn(one), 0)
    return `${plain(lost, 0)} lost of ${plain(said, 0)}`
  }
  if (aims.length === 0) return []
  const row = published.find((one) => one.users === users)
  return [
    {
      what: `One message from each of up to ${plain(users, 0)} at once, counted at every receiver and in the store`,
      ours: words('diptych'),
      ...(outcomes.some(({ trial }) => trial.subject === 'hocuspocus') && {
        beside: `Hocuspocus ${words('hocuspocus')}`,
      }),
      ...(row && {
        published: `${row.lossPercent[0]} % at ${plain(users, 0)}, ${row.lossPercent[1]} % with a broker (${sources.loss.short})`,
      }),
      aims,
    },
  ]
}

const saidIn = ({ trial, data }: One): number => trial.params.users * data.rounds.length
const lostAtReceivers = ({ data: { audit } }: One): number => audit.missing
const lostInStore = (one: One): number | null =>
  one.data.stored === null ? null : saidIn(one) - one.data.stored
const meansOf = ({ data }: One): number[] => data.rounds.map(({ meanMs }) => meanMs)

function lossTable(outcomes: readonly One[]): Table {
  return {
    title: 'Lost, and the time it took',
    columns: [
      { name: '' },
      { name: 'messages', digits: 0 },
      { name: 'lost at receivers', unit: '%', digits: 3 },
      { name: 'lost in the store', unit: '%', digits: 3 },
      { name: 'doubled', digits: 0 },
      { name: 'mean', unit: 'ms' },
      { name: 'p99', unit: 'ms' },
    ],
    rows: outcomes.map((one): Cell[] => {
      const { missing, delivered, doubled } = one.data.audit
      const inStore = lostInStore(one)
      return [
        `${one.trial.params.users.toLocaleString('en-GB')}, ${one.trial.subject}`,
        saidIn(one),
        (100 * missing) / (missing + delivered),
        inStore === null ? 'keeps nothing' : (100 * inStore) / saidIn(one),
        doubled,
        overRounds(meansOf(one)),
        overRounds(one.data.rounds.map(({ p99Ms }) => p99Ms)),
      ]
    }),
  }
}

function bytesTable(outcomes: readonly One[]): Table[] {
  const rows = outcomes.flatMap((one) => (one.data.bytes ? [{ one, bytes: one.data.bytes }] : []))
  if (rows.length === 0) return []
  return [
    {
      title: 'Bytes on the wire',
      columns: [
        { name: '' },
        { name: 'up, a message', unit: 'B' },
        { name: 'down, a delivery', unit: 'B' },
        { name: 'out, a round', unit: 'kbit', digits: 0 },
      ],
      rows: rows.map(({ one, bytes: { up, down } }) => [
        `${one.trial.params.users.toLocaleString('en-GB')}, ${one.trial.subject}`,
        up / saidIn(one),
        down / one.data.audit.delivered,
        (down * 8) / 1000 / one.data.rounds.length,
      ]),
      note: 'Counted at a TCP proxy in trials of their own, with everything that TCP carries, also acknowledgements; not TCP’s and IP’s own headers; up to 5,000, since the proxy holds two sockets for each. What was published is kbit a second.',
    },
  ]
}

function tTestTable(outcomes: readonly One[]): Table {
  const of = (users: number, subject: string) =>
    outcomes.find(({ trial }) => trial.subject === subject && trial.params.users === users)
  const pairs = [...new Set(outcomes.map(({ trial }) => trial.params.users))].flatMap((users) => {
    const ours = of(users, 'diptych')
    const theirs = of(users, 'hocuspocus')
    return ours && theirs ? [{ users, ...tTest(meansOf(ours), meansOf(theirs)) }] : []
  })
  return {
    title: 'Do Diptych’s and Hocuspocus’s mean times differ by more than chance?',
    columns: [
      { name: 'users' },
      { name: 't', digits: 2 },
      { name: 'df' },
      { name: 'p', digits: 4 },
      { name: '' },
    ],
    rows: pairs.map(({ users, t, degreesOfFreedom, p }) => [
      users.toLocaleString('en-GB'),
      t,
      degreesOfFreedom,
      p,
      p < SIGNIFICANT ? 'yes' : 'no',
    ]),
    note: `Welch’s t-test of the rounds’ means at ${SIGNIFICANT}. The published one compares one node with two behind a broker, which are still to come here.`,
  }
}

const publishedTable: Table = {
  title: 'Published, without and with a broker',
  columns: [
    { name: 'users' },
    ...['lost', 'lost, broker'].map((name) => ({ name, unit: '%', digits: 2, published: true })),
    ...['mean', 'mean, broker'].map((name) => ({ name, unit: 'ms', digits: 2, published: true })),
    ...['out', 'out, broker'].map((name) => ({ name, unit: 'kbit/s', digits: 2, published: true })),
  ],
  rows: published.map(({ users, lossPercent, meanMs, outKbps }) => [
    users.toLocaleString('en-GB'),
    ...lossPercent,
    ...meanMs,
    ...outKbps,
  ]),
  note: `${sources.loss.short}. ${sources.loss.setup}`,
}
