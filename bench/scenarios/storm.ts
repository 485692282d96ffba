/** Thousands of clients lose the server at once, and reconnect when it is back. */
import { measureReconnectStorm } from '../../e2e/chaos/reconnect-storm.ts'
import { count, metric, type Rounds } from '../report/metrics.ts'
import { neverAim, type SectionDeclaration } from '../report/section-declaration.ts'
import { lineChart, table } from '../report/tables-and-charts.ts'
import { number } from '../support/options.ts'
import { readUsage } from '../support/process-usage.ts'
import { scenario } from '../support/scenario.ts'
import { percentile, summarise, type Summary } from '../support/stats.ts'

const ends = ['killed', 'restarted'] as const

type StormParams = { readonly clients: number }

interface StormData {
  /** Milliseconds from when the server was back until each client had a link and everything saved. */
  readonly returned: readonly number[]
  /** The server's processor time from its start until all clients were back. */
  readonly serverCpuMs: number
  /** The number of tokens, over all replicas and the store. Older runs have none: they failed if a token was lost or doubled. */
  readonly lost?: number
  readonly doubled?: number
  /** The other faults that the oracle found, as text. */
  readonly wrong?: readonly string[]
}

const options = {
  clients: number('windows, in documents of 40, by all transports in turn', 2_000, 40, 20_000),
}

export const stormScenario = scenario<typeof options, StormParams, StormData>({
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

/** How many findings of a trial are shown, because one fault is found in many clients. */
const SHOWN_FINDINGS = 5

/** The chart's line has this many steps. */
const CHART_STEPS = 40

const backTime = (which: keyof Summary, name: string = which) =>
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
      'Clients in Node, 40 to a document, use all transports in turn, each with its own replica in memory. The server ends, each client writes a token, and the server starts again. A client is back once it has a link and everything is saved. Then all replicas and the store are compared, and every token is counted in each of them.',
    tables: [
      table(
        'From when the server is there again until a client is back',
        rows.map((row) => row.withName(laneTitles[row.name] ?? row.name)),
        [
          { name: 'clients', digits: 0, of: ({ params }: Storm) => params!.clients },
          backTime('p50'),
          backTime('p95'),
          backTime('max', 'last'),
          metric('server CPU a client', 'ms', ({ serverCpuMs }, { params }) => serverCpuMs / params.clients, {
            digits: 2,
          }),
          notBack,
          lost,
          doubled,
        ],
        {
          head: 'the server was',
          note: 'Clients and server share this machine, and the clients are one process, so with two cores much of the time is the clients’ own work.',
        },
      ),
    ],
    charts: [
      lineChart(
        'Clients that are back',
        { x: { name: 'since the server is there', unit: 's' }, y: { name: 'back', unit: '%' } },
        rows,
        sharesBack,
      ),
    ],
    aims: aims.flat(),
    headlines: rows.map((row, at) => {
      const away = row.median(notBack)
      return {
        what: `${row.params!.clients} clients back after the server was ${row.name}`,
        ours: `${away === 0 ? 'all' : `all but ${away}`} within ${row.median(backTime('max')).toFixed(1)} s; ${row.median(lost)} lost, ${row.median(doubled)} doubled`,
        aims: aims[at]!,
        of: { lane: row.name },
      }
    }),
    notes: all.outcomes.flatMap(({ trial, data: { wrong = [] } }) =>
      wrong
        .slice(0, SHOWN_FINDINGS)
        .map((finding) => `WRONG: ${trial.lane}, round ${trial.round}: ${finding}`),
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
  const where = bad.map(
    ({ trial, data }) => `round ${trial.round}: ${data.wrong?.[0] ?? 'the oracle found nothing else'}`,
  )
  return zeros.map((zero) =>
    neverAim(`the server ${row.name}: ${zero.metric.name}`, zero.unit, row.median(zero.metric), where),
  )
}

function sharesBack({ data }: Storm): (readonly [number, number])[] {
  const sorted = data.flatMap(({ returned }) => returned).toSorted((a, b) => a - b)
  return Array.from({ length: CHART_STEPS + 1 }, (_, step) => {
    const share = step / CHART_STEPS
    return [percentile(sorted, share) / 1000, 100 * share] as const
  })
}
