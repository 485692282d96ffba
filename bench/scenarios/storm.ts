/** Very many clients lose the server at once and come back when it is there again. */
import { measureReconnectStorm } from '../../e2e/chaos/reconnect-storm.ts'
import { count, metric, type Rounds, type SectionDeclaration, table } from '../report/metrics.ts'
import { becauseLost } from '../report/reasons.ts'
import { number } from '../support/options.ts'
import { readUsage } from '../support/process-usage.ts'
import { scenario } from '../support/scenario.ts'
import { percentile, summarise, type Summary } from '../support/stats.ts'

const ends = ['killed', 'restarted'] as const

type StormParams = { readonly clients: number }

interface StormData {
  /** ms from when the server was there again until each client had a link and everything saved. */
  readonly returned: readonly number[]
  /** Of the server, from its start until all were back. */
  readonly serverCpuMs: number
  /** Of tokens, over every replica and the store. Earlier runs do not say: there one that lost or doubled anything failed. */
  readonly lost?: number
  readonly doubled?: number
  /** What else the oracle found, in words. */
  readonly wrong?: readonly string[]
}

const options = {
  clients: number('windows, in documents of 40, by all transports in turn', 2_000, 40, 20_000),
}

export const storm = scenario<typeof options, StormParams, StormData>({
  name: 'storm',
  sentence: 'Thousands of clients reconnect after the server was killed or restarted.',
  options,
  rounds: 1,
  quick: { clients: '80' },
  plan: ({ clients }) => ends.map((lane) => ({ lane, params: { clients } })),
  estimate: ({ params: { clients } }) => 8 + clients * 0.045,
  async run({ lane, params: { clients }, round }, ctx) {
    let serverCpuMs = Number.NaN
    const onReturned = async (pid: number): Promise<void> => {
      serverCpuMs = (await readUsage(pid)).cpuMs
    }
    const end = lane === 'killed' ? 'killed' : 'restarted'
    const { returned, lost, doubled, wrong } = await ctx.measure(() =>
      measureReconnectStorm({ seed: round, clients, end, onReturned, signal: ctx.signal }),
    )
    return { returned, serverCpuMs, lost, doubled, wrong }
  },
  report,
})

type Storm = Rounds<StormParams, StormData>

const laneTitles: Readonly<Record<string, string>> = {
  killed: 'killed by SIGKILL',
  restarted: 'restarted in good order, so that it says when to come again',
}

/** Of one trial: what went wrong once goes wrong for many. */
const MOST_WORDS = 5

/** Points of the line that shows how many are back. */
const STEPS = 40

const back = (which: keyof Summary, name: string = which) =>
  metric<StormData>(name, 's', ({ returned }) => summarise(returned)[which] / 1000, { digits: 2 })
const notBack = count<StormData, StormParams>(
  'not back',
  ({ returned }, { params }) => params.clients - returned.length,
)
const lost = count<StormData>('lost', (data) => data.lost ?? 0)
const doubled = count<StormData>('doubled', (data) => data.doubled ?? 0)

function report(all: Storm): SectionDeclaration {
  const rows = all.rows<string>('lane')
  const aims = rows.map(aimsOf)
  return {
    method:
      'Clients in Node with documents of their own in memory, 40 to a document, by all transports in turn. The server ends, each client writes a token, the server starts again. Back: a link, and everything saved. Then every replica and the store are compared, and every token is counted in each of them.',
    tables: [
      table(
        'From when the server is there again until a client is back',
        rows.map((row) => row.named(laneTitles[row.name] ?? row.name)),
        [
          { name: 'clients', digits: 0, of: ({ params }: Storm) => params!.clients },
          back('p50'),
          back('p95'),
          back('max', 'last'),
          metric('server CPU a client', 'ms', ({ serverCpuMs }, { params }) => serverCpuMs / params.clients, {
            digits: 2,
          }),
          notBack,
          lost,
          doubled,
        ],
        {
          head: 'the server was',
          note: 'Clients and server share this machine, and the clients are one process: with two cores much of this is the clients’ own work.',
        },
      ),
    ],
    charts: [
      {
        kind: 'lines',
        title: 'Clients that are back',
        x: { name: 'since the server is there', unit: 's' },
        y: { name: 'back', unit: '%' },
        series: rows.map((row) => ({ name: row.name, points: pointsOf(row) })),
      },
    ],
    aims: aims.flat(),
    headlines: rows.map((row, at) => {
      const away = row.median(notBack)
      return {
        what: `${row.params!.clients} clients back after the server was ${row.name}`,
        ours: `${away === 0 ? 'all' : `all but ${away}`} within ${row.median(back('max')).toFixed(1)} s; ${row.median(lost)} lost, ${row.median(doubled)} doubled`,
        aims: aims[at]!,
        of: { lane: row.name },
      }
    }),
    notes: all.outcomes.flatMap(({ trial, data: { wrong = [] } }) =>
      wrong.slice(0, MOST_WORDS).map((words) => `WRONG: ${trial.lane}, round ${trial.round}: ${words}`),
    ),
  }
}

function aimsOf(row: Storm) {
  const zeros = [
    { metric: notBack, unit: 'clients' },
    { metric: lost, unit: 'tokens' },
    { metric: doubled, unit: 'tokens' },
  ]
  const bad = row.outcomes.filter((outcome) => {
    const alone = row.filter((one) => one === outcome)
    return zeros.some((zero) => alone.median(zero.metric) > 0)
  })
  const reason = becauseLost(
    bad.map(
      ({ trial, data }) => `round ${trial.round}: ${data.wrong?.[0] ?? 'without a word of the oracle'}`,
    ),
  )
  return zeros.map((zero) => ({
    name: `the server ${row.name}: ${zero.metric.name}`,
    measured: row.median(zero.metric),
    limit: 0,
    unit: zero.unit,
    reason,
  }))
}

function pointsOf({ data }: Storm): (readonly [number, number])[] {
  const sorted = data.flatMap(({ returned }) => returned).toSorted((a, b) => a - b)
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const share = step / STEPS
    return [percentile(sorted, share) / 1000, 100 * share] as const
  })
}
