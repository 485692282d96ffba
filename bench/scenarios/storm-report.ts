import { becauseLost } from '../report/reasons.ts'
import { type Aim, aimAtMost, type Section } from '../report/section.ts'
import type { Outcome } from '../support/scenario.ts'
import { overRounds, percentile, summarise } from '../support/stats.ts'

export interface Params extends Record<string, number> {
  readonly clients: number
}

export interface Data {
  /** ms from when the server was there again until each client had a link and everything saved. */
  readonly returned: readonly number[]
  /** Of the server, from its start until all were back. */
  readonly serverCpuMs: number
  /** Over every replica and the store. Runs of before do not say: there one that lost or doubled anything failed. */
  readonly tokens?: number
  readonly lost?: number
  readonly doubled?: number
  /** What else the oracle found, in words. */
  readonly wrong?: readonly string[]
}

type Outcomes = readonly Outcome<Params, Data>[]

const words: Record<string, string> = {
  killed: 'killed by SIGKILL',
  restarted: 'restarted in good order, so that it says when to come again',
}

/** Of one trial: what went wrong once goes wrong for many. */
const MOST_WORDS = 5

/** Points of the line that shows how many are back. */
const STEPS = 40

export function reportOf(outcomes: Outcomes): Section {
  const lanes = [...new Set(outcomes.map(({ trial }) => trial.lane))]
  const of = (lane: string) => outcomes.filter(({ trial }) => trial.lane === lane)
  return {
    method:
      'Clients in Node with documents of their own in memory, 40 to a document, by all transports in turn. The server ends, each client writes a token, the server starts again. Back: a link, and everything saved. Then every replica and the store are compared, and every token is counted in each of them.',
    tables: [
      {
        title: 'From when the server is there again until a client is back',
        columns: [
          { name: 'the server was' },
          { name: 'clients', digits: 0 },
          { name: 'p50', unit: 's', digits: 2 },
          { name: 'p95', unit: 's', digits: 2 },
          { name: 'last', unit: 's', digits: 2 },
          { name: 'server CPU a client', unit: 'ms', digits: 2 },
          { name: 'not back', digits: 0 },
          { name: 'lost', digits: 0 },
          { name: 'doubled', digits: 0 },
        ],
        rows: lanes.map((lane) => rowOf(lane, of(lane))),
        note: 'Clients and server share this machine, and the clients are one process: with two cores much of this is the clients’ own work.',
      },
    ],
    charts: [
      {
        kind: 'lines',
        title: 'Clients that are back',
        x: { name: 'since the server is there', unit: 's' },
        y: { name: 'back', unit: '%' },
        series: lanes.map((name) => ({ name, points: pointsOf(of(name)) })),
      },
    ],
    aims: lanes.flatMap((lane) => aimsOf(lane, of(lane))),
    headlines: lanes.map((lane) => {
      const own = of(lane)
      const last = overRounds(own.map(({ data }) => summarise(data.returned).max)).median
      const clients = own[0]?.trial.params.clients ?? 0
      return {
        what: `${clients} clients back after the server was ${lane}`,
        ours: `${awayOf(own) === 0 ? 'all' : `all but ${awayOf(own)}`} within ${(last / 1000).toFixed(1)} s; ${total(own, 'lost')} lost, ${total(own, 'doubled')} doubled`,
        aims: aimsOf(lane, own),
        of: { lane },
      }
    }),
    notes: outcomes.flatMap(({ trial, data: { wrong = [] } }) =>
      wrong.slice(0, MOST_WORDS).map((words) => `WRONG: ${trial.lane}, round ${trial.round}: ${words}`),
    ),
  }
}

const total = (own: Outcomes, figure: 'lost' | 'doubled'): number =>
  own.reduce((sum, { data }) => sum + (data[figure] ?? 0), 0)

const awayOf = (own: Outcomes): number =>
  own.reduce((sum, { trial, data }) => sum + trial.params.clients - data.returned.length, 0)

function aimsOf(lane: string, own: Outcomes): Aim[] {
  const bad = own.filter((one) => awayOf([one]) + total([one], 'lost') + total([one], 'doubled') > 0)
  const reason = becauseLost(
    bad.map((one) => `round ${one.trial.round}: ${one.data.wrong?.[0] ?? 'without a word of the oracle'}`),
  )
  const aim = (what: string, measured: number, unit: string) =>
    aimAtMost({ name: `the server ${lane}: ${what}`, measured, limit: 0, unit, reason })
  return [
    aim('not back', awayOf(own), 'clients'),
    aim('lost', total(own, 'lost'), 'tokens'),
    aim('doubled', total(own, 'doubled'), 'tokens'),
  ]
}

function rowOf(lane: string, own: Outcomes) {
  const seconds = (figure: 'p50' | 'p95' | 'max') =>
    overRounds(own.map(({ data }) => summarise(data.returned)[figure] / 1000))
  const clients = own[0]?.trial.params.clients ?? 0
  return [
    words[lane] ?? lane,
    clients,
    seconds('p50'),
    seconds('p95'),
    seconds('max'),
    overRounds(own.map(({ data }) => data.serverCpuMs / clients)),
    awayOf(own),
    total(own, 'lost'),
    total(own, 'doubled'),
  ]
}

function pointsOf(own: Outcomes): (readonly [number, number])[] {
  const sorted = own.flatMap(({ data }) => data.returned).toSorted((a, b) => a - b)
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const share = step / STEPS
    return [percentile(sorted, share) / 1000, 100 * share] as const
  })
}
