/** What the trials of `loss` say. Pure. */
import type { Audit } from '../crowd/ledger.ts'
import { programOf, settings } from '../crowd/subjects.ts'
import { loss as published, sources } from '../published.ts'
import { plain } from '../report/figures.ts'
import { becauseLost } from '../report/reasons.ts'
import { type Aim, aimAtMost, type Cell, type Headline, type Section, type Table } from '../report/section.ts'
import { type Samples, summaryOf } from '../support/histogram.ts'
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
  /** From the moment at which all were to speak to each receiver. */
  readonly delivery: readonly Samples[]
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

/** The trials of one subject with so many users. */
interface Row {
  readonly subject: string
  readonly users: number
  readonly trials: readonly One[]
}

const rowsOf = (outcomes: readonly One[]): Row[] =>
  [...Map.groupBy(outcomes, ({ trial: { subject, params } }) => `${params.users}, ${subject}`).values()].map(
    (trials) => ({
      subject: trials[0]!.trial.subject,
      users: trials[0]!.trial.params.users,
      trials,
    }),
  )

const nameOf = ({ users, subject }: Row): string => `${plain(users, 0)}, ${programOf(subject)}`

export function report(kept: readonly One[]): Section {
  const outcomes = kept.filter(hasSamples)
  const timed = rowsOf(outcomes.filter(({ data }) => !data.bytes))
  const ours = outcomes.filter(({ trial }) => trial.subject === 'diptych')
  const lostOurs = sumOver(ours, lostOf)
  const aims =
    ours.length === 0
      ? []
      : [
          aimAtMost({
            name: 'Lost by Diptych, at every N',
            measured: lostOurs,
            limit: 0,
            unit: 'lost',
            reason: becauseLost(ours.filter((one) => lostOf(one) > 0).map(whereLost)),
          }),
        ]
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
          ...[...new Set(timed.map(({ subject }) => subject))].map((name) => ({
            name: programOf(name),
            points: timed
              .filter(({ subject }) => subject === name)
              .map((row) => [row.users, overRounds(meansOf(row)).median] as const),
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
      'The rounds of each are spread over trials that alternate with the others’; within a trial they follow each other.',
      ...olderNote(kept.length - outcomes.length),
      ...outcomes
        .filter(({ data }) => data.lost.count > 0)
        .map(
          ({ trial, data }) =>
            `${programOf(trial.subject)}, ${plain(trial.params.users, 0)}: ${data.lost.count} connections ended (${data.lost.why}).`,
        ),
      ...[...new Set(outcomes.map(({ trial }) => trial.subject))].flatMap((name) => settings[name] ?? []),
    ],
  }
}

function headlinesOf(outcomes: readonly One[], aims: readonly Aim[]): Headline[] {
  const users = Math.max(...outcomes.map(({ trial }) => trial.params.users))
  const words = (subject: string): string => {
    const own = outcomes.filter(({ trial }) => trial.subject === subject)
    return `${plain(sumOver(own, lostOf), 0)} lost of ${plain(sumOver(own, saidIn), 0)}`
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

/** A run of before kept means alone. */
const hasSamples = ({ data }: One): boolean => data.rounds.every((round) => 'delivery' in round)

const olderNote = (count: number): string[] =>
  count === 0 ? [] : [`Trials of an older version, which kept no samples, are left out: ${count}.`]

const sumOver = (outcomes: readonly One[], of: (one: One) => number): number =>
  outcomes.reduce((sum, one) => sum + of(one), 0)

const saidIn = ({ trial, data }: One): number => trial.params.users * data.rounds.length
const lostAtReceivers = ({ data: { audit } }: One): number => audit.missing
const lostInStore = (one: One): number | null =>
  one.data.stored === null ? null : saidIn(one) - one.data.stored
const lostOf = (one: One): number => lostAtReceivers(one) + (lostInStore(one) ?? 0)

function whereLost(one: One): string {
  const { users, part } = one.trial.params
  const { count, why } = one.data.lost
  const ended = count > 0 ? `, ${count} connections ended (${why})` : ''
  return `${part} with ${plain(users, 0)}, trial ${one.trial.round}: ${lostAtReceivers(one)} at receivers, ${lostInStore(one) ?? 0} in the store${ended}`
}

const roundsOf = ({ trials }: Pick<Row, 'trials'>) =>
  trials.flatMap(({ data }) => data.rounds.map(({ delivery }) => summaryOf(delivery)))
const meansOf = (row: Row): number[] => roundsOf(row).map(({ mean }) => mean)

function lossTable(rows: readonly Row[]): Table {
  return {
    title: 'Lost, and the time it took',
    columns: [
      { name: '' },
      { name: 'messages', digits: 0 },
      { name: 'lost at receivers', unit: '%', digits: 3 },
      { name: 'lost in the store', unit: '%', digits: 3 },
      { name: 'doubled', digits: 0 },
      { name: 'mean', unit: 'ms' },
      { name: 'p50', unit: 'ms' },
      { name: 'p99', unit: 'ms' },
      { name: 'out of order', digits: 0 },
    ],
    rows: rows.map((row): Cell[] => {
      const missing = sumOver(row.trials, lostAtReceivers)
      const keepsNothing = row.trials.some((one) => lostInStore(one) === null)
      const said = sumOver(row.trials, saidIn)
      const rounds = roundsOf(row)
      return [
        nameOf(row),
        said,
        (100 * missing) / (missing + sumOver(row.trials, ({ data }) => data.audit.delivered)),
        keepsNothing ? 'keeps nothing' : (100 * sumOver(row.trials, (one) => lostInStore(one)!)) / said,
        sumOver(row.trials, ({ data }) => data.audit.doubled),
        ...(['mean', 'p50', 'p99'] as const).map((which) => overRounds(rounds.map((round) => round[which]))),
        sumOver(row.trials, ({ data }) => data.audit.disordered),
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
        { name: 'a round', unit: 'ms', digits: 0 },
        { name: 'out', unit: 'kbit/s', digits: 0 },
        { name: 'out, published', unit: 'kbit/s', digits: 2, published: true },
        { name: 'out, broker, published', unit: 'kbit/s', digits: 2, published: true },
      ],
      rows: rows.map(({ one, bytes: { up, down } }) => [
        nameOf({ ...one.trial, users: one.trial.params.users, trials: [one] }),
        up / saidIn(one),
        down / one.data.audit.delivered,
        kilobits(down) / one.data.rounds.length,
        millisecondsOf(one) / one.data.rounds.length,
        kilobits(down) / (millisecondsOf(one) / 1000),
        ...(published.find(({ users }) => users === one.trial.params.users)?.outKbps ?? [null, null]),
      ]),
      note: `Counted at a TCP proxy in trials of their own, with everything that TCP carries, also acknowledgements; not TCP’s and IP’s own headers; up to 5,000, since the proxy holds two sockets for each. A round lasts from the moment at which all were to speak until the last receiver has the last letter, and kbit/s are of that time alone: each letter goes to 49 others. What was published may be of another time: its growth can be compared, its size cannot.`,
    },
  ]
}

const kilobits = (bytes: number): number => (bytes * 8) / 1000

/** Of all rounds, through the proxy. */
const millisecondsOf = (one: One): number =>
  roundsOf({ trials: [one] }).reduce((sum, { max }) => sum + max, 0)

function tTestTable(rows: readonly Row[]): Table {
  const pairs = [...new Set(rows.map(({ users }) => users))].flatMap((users) => {
    const of = (name: string) => rows.find((row) => row.subject === name && row.users === users)
    const [ours, theirs] = [of('diptych'), of('hocuspocus')]
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
      plain(users, 0),
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
    plain(users, 0),
    ...lossPercent,
    ...meanMs,
    ...outKbps,
  ]),
  note: `${sources.loss.short}. ${sources.loss.setup}`,
}
