import type { Count } from '../clients/typists.ts'
import { plain } from '../report/figures.ts'
import { becauseLost } from '../report/reasons.ts'
import { aimAtMost, type Section } from '../report/section.ts'
import type { Outcome } from '../support/scenario.ts'
import { overRounds, summarise } from '../support/stats.ts'

export interface Data extends Count {
  readonly tokens: number
  /** ms from the time a letter was meant to be typed to each other window, before any switch and while switching. */
  readonly calm: readonly number[]
  readonly switching: readonly number[]
  /** Of each window the longest time between two arrivals in a row while switching, less the pace at which they were typed, in ms. */
  readonly gaps: readonly number[]
  /** Of each window the longest time without any link, in ms. */
  readonly unlinked: readonly number[]
  readonly switches: number
  /** ms each, from the wish to the new link in use. */
  readonly took: readonly number[]
}

type SamplesOf = (data: Data) => readonly number[]

const spans: readonly (readonly [name: string, samples: SamplesOf])[] = [
  ['typed → there, no switches', ({ calm }) => calm],
  ['typed → there, switching', (data) => data.switching],
  ['a switch, wish → in use', ({ took }) => took],
]

type Outcomes = readonly Outcome<Record<string, never>, Data>[]

export function reportOf(outcomes: Outcomes): Section {
  const over = (figure: (data: Data) => number) => overRounds(outcomes.map(({ data }) => figure(data)))
  const total = (figure: (data: Data) => number) => outcomes.reduce((sum, { data }) => sum + figure(data), 0)
  const row = (name: string, samples: SamplesOf) => [
    name,
    over((data) => summarise(samples(data)).p50),
    over((data) => summarise(samples(data)).p95),
    over((data) => summarise(samples(data)).p99),
    over((data) => summarise(samples(data)).max),
  ]
  const lost = total((data) => data.lost)
  const doubled = total((data) => data.doubled)
  const reason = becauseLost(
    outcomes
      .filter(({ data }) => data.lost + data.doubled > 0)
      .map(({ trial: { round }, data: { tokens, switches, ...count } }) => {
        const wrong = `${count.lost} lost, ${count.doubled} doubled, ${count.disordered} out of order`
        return `round ${round}: ${wrong}, of ${tokens} tokens and after ${switches} switches`
      }),
  )
  const aims = [
    aimAtMost({ name: 'lost', measured: lost, limit: 0, unit: 'tokens', reason }),
    aimAtMost({ name: 'doubled', measured: doubled, limit: 0, unit: 'tokens', reason }),
  ]
  return {
    method:
      'Five clients in Node type numbered tokens into one document, and each changes its transport every 200 ms, through all five again and again. Times count from when a token was meant to be typed. In the end every token is looked for by its number in each window’s text and in the store.',
    tables: [
      {
        title: 'From one window to each other',
        columns: ['what', 'p50', 'p95', 'p99', 'max'].map((name) =>
          name === 'what' ? { name } : { name, unit: 'ms', digits: 1 },
        ),
        rows: spans.map(([name, samples]) => row(name, samples)),
      },
      {
        title: 'What became of it',
        columns: [{ name: 'what' }, { name: 'figure', digits: 0 }],
        rows: [
          ['tokens', total(({ tokens }) => tokens)],
          ['switches', total(({ switches }) => switches)],
          ['lost, in any window or the store', lost],
          ['doubled', doubled],
          ['out of their author’s order', total(({ disordered }) => disordered)],
          ['longest gap between arrivals, less the pace, ms', over(({ gaps }) => Math.max(...gaps))],
          ['longest time without any link, ms', over(({ unlinked }) => Math.max(...unlinked))],
        ],
      },
    ],
    charts: [
      {
        kind: 'bars',
        title: 'From one window to each other',
        unit: 'ms',
        scale: 'log',
        groups: spans.map(([name]) => name),
        series: (['p50', 'p99', 'max'] as const).map((which) => ({
          name: which,
          values: spans.map(([, samples]) => over((data) => summarise(samples(data))[which])),
        })),
      },
    ],
    aims,
    headlines: [
      {
        what: 'Five windows, a switch of transport every 200 ms each',
        ours: `${lost} lost, ${doubled} doubled of ${plain(
          total(({ tokens }) => tokens),
          0,
        )}`,
        aims,
      },
    ],
    notes: [
      'Among the transports is polling, four times a second: a letter that waits for the next poll is a gap of up to 250 ms that is the transport’s and not the switch’s.',
    ],
  }
}
