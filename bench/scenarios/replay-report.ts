import { transportLabels } from '../../lib/transports/transport-labels.ts'
import type { TransportId } from '../../lib/transports/transport.ts'
import { plain } from '../report/figures.ts'
import { becauseLost } from '../report/reasons.ts'
import { aimAtMost, type Section } from '../report/section.ts'
import type { Outcome } from '../support/scenario.ts'
import { overRounds } from '../support/stats.ts'

export interface Params extends Record<string, number> {
  readonly transactions: number
}

export interface Data {
  readonly seconds: number
  readonly equal: { readonly windows: boolean; readonly store: boolean; readonly wholeTrace: boolean }
  readonly serverCpuMs: number
  /** Of frames, both windows together. */
  readonly bytes: { readonly up: number; readonly down: number }
  readonly letters: number
}

type Outcomes = readonly Outcome<Params, Data>[]

const pace = ({ data, trial }: Outcomes[number]): number => trial.params.transactions / data.seconds

const isEqual = ({ data: { equal } }: Outcomes[number]): boolean => equal.windows && equal.store

export function reportOf(outcomes: Outcomes): Section {
  const byLane = Map.groupBy(outcomes, ({ trial }) => trial.lane)
  const rows = [...byLane].map(([lane, own]) => ({ title: transportLabels[lane as TransportId], own }))
  const different = outcomes.filter((outcome) => !isEqual(outcome)).length
  const aims = [
    aimAtMost({
      name: 'texts that differ from the trace',
      measured: different,
      limit: 0,
      unit: 'texts',
      reason: becauseLost(outcomes.filter((outcome) => !isEqual(outcome)).map(whereDifferent)),
    }),
  ]
  return {
    method:
      'Two clients in Node type the concurrent trace “friendsforever” as it was recorded: each builds on exactly what its author had seen, and waits until that has come over the wire. The text must end as the trace does, in both windows and in the store.',
    tables: [
      {
        title: 'The trace by each transport',
        columns: [
          { name: 'transport' },
          { name: 'transactions', digits: 0 },
          { name: 'seconds', unit: 's', digits: 1 },
          { name: 'transactions a second', digits: 0 },
          { name: 'server CPU a transaction', unit: 'µs', digits: 0 },
          { name: 'up a transaction', unit: 'B', digits: 1 },
          { name: 'down a transaction', unit: 'B', digits: 1 },
          { name: 'text is the trace’s' },
        ],
        rows: rows.map(({ title, own }) => rowOf(title, own)),
        note: 'Bytes are of frames, of both windows together: what HTTP and TLS put around them is in the scenario payload.',
      },
    ],
    charts: [
      {
        kind: 'bars',
        title: 'The trace by each transport',
        unit: 'transactions a second',
        scale: 'log',
        groups: rows.map(({ title }) => title),
        series: [{ name: 'transactions a second', values: rows.map(({ own }) => overRounds(own.map(pace))) }],
      },
    ],
    aims,
    headlines: [
      {
        what: 'Two people’s recorded typing, replayed by every transport',
        ours: `${different === 0 ? 'equal to the trace by each' : `${different} differ`}${partWords(outcomes)}`,
        aims,
      },
    ],
    notes: [
      'Where a part of the trace was typed, as by polling, the text is compared with what the same part makes in one process.',
    ],
  }
}

function whereDifferent({ trial: { lane, round }, data: { equal } }: Outcomes[number]): string {
  const places = [...(equal.windows ? [] : ['a window']), ...(equal.store ? [] : ['the store'])]
  return `${transportLabels[lane as TransportId]}, round ${round}: ${places.join(' and ')}`
}

/** `; Polling played its first 10 %`: what was not the whole of what others played is not said to be. */
function partWords(outcomes: Outcomes): string {
  const most = Math.max(...outcomes.map(({ trial }) => trial.params.transactions))
  const parts = outcomes
    .filter(({ trial }) => trial.params.transactions < most)
    .map(({ trial: { lane, params } }) => {
      const share = plain((100 * params.transactions) / most, 0)
      return `${transportLabels[lane as TransportId]} played its first ${share} %`
    })
  return [...new Set(parts)].map((part) => `; ${part}`).join('')
}

function rowOf(title: string, own: Outcomes) {
  const over = (figure: (outcome: Outcomes[number]) => number) => overRounds(own.map(figure))
  const each = (figure: (data: Data) => number) =>
    over(({ data, trial }) => figure(data) / trial.params.transactions)
  return [
    title,
    own[0]?.trial.params.transactions ?? null,
    over(({ data }) => data.seconds),
    over(pace),
    each(({ serverCpuMs }) => serverCpuMs * 1000),
    each(({ bytes }) => bytes.up),
    each(({ bytes }) => bytes.down),
    own.every(isEqual) ? 'yes' : 'no',
  ]
}
