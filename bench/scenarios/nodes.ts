/** One writer and nobody else: the time until an edit is durable on PostgreSQL, and what the hop to another node adds. */
import { measureNodeHops } from '../crowd/node-hops.ts'
import {
  createDocument,
  missingFor,
  nodeLanes,
  serverOf,
  settingsOf,
  startMeasured,
  titleOf,
} from '../crowd/measured-servers.ts'
import { metric, type Metric, type Rounds, time } from '../report/metrics.ts'
import { aim, type SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
import { number, someOf } from '../support/options.ts'
import { processesOf } from '../support/nodes.ts'
import { scenario } from '../support/scenario.ts'
import { summarise } from '../support/stats.ts'
import type { Params } from '../support/trial.ts'

const WARM_UP = 20
const FSYNCS = 50
const PROTOCOL = 'diptych websocket'

/** Each has a name without commas, for the command line. */
const lanes = {
  sqlite: 'websocket',
  one: nodeLanes.one,
  redis: nodeLanes.two,
  notify: nodeLanes.withoutRedis,
}
const names = Object.keys(lanes) as (keyof typeof lanes)[]

type NodesParams = {
  readonly interval: number
}

interface NodesData {
  /** Milliseconds from when an edit was due until its writer knows that it is durable. */
  readonly saved: readonly number[]
  /** Milliseconds until a reader at the same node has it. */
  readonly near: readonly number[]
  /** Milliseconds until a reader at the other node has it; undefined with a single node. */
  readonly far?: readonly number[]
  /** Milliseconds of 4 KiB appends with fdatasync, at the same interval as the edits. */
  readonly fsync: readonly number[]
}

export const nodesScenario = scenario({
  name: 'nodes',
  sentence: 'One writer: time until an edit is durable on PostgreSQL, and what the hop to another node adds.',
  options: {
    lanes: someOf('one node on SQLite or on PostgreSQL, two joined by Redis or by NOTIFY', names),
    interval: number('ms between edits', 100, 5, 5_000),
    edits: number('edits of a trial, after a warm-up', 200, 10, 10_000),
  },
  quick: { lanes: 'redis', interval: '20', edits: '50' },
  plan: ({ lanes: wanted, interval }) => wanted.map((name) => ({ lane: lanes[name], params: { interval } })),
  estimate: ({ params: { interval } }, { edits }) => 5 + ((edits + WARM_UP + FSYNCS) * interval) / 1000,
  missing: missingFor,
  async run({ params: { interval }, ...trial }, ctx, { edits }): Promise<NodesData> {
    const server = await startMeasured(ctx, serverOf(trial))
    const origins = processesOf(server).map(({ plainOrigin }) => plainOrigin)
    const where = { protocol: PROTOCOL, origins, ...(await createDocument(server, PROTOCOL)) } as const
    const load = { letters: edits + WARM_UP, intervalMs: interval, signal: ctx.signal }
    const measured = (await ctx.measure(() => measureNodeHops(where, load))).slice(WARM_UP)
    const at = (index: number) => measured.map(({ arrived }) => arrived[index]!)
    return {
      saved: measured.map(({ saved }) => saved),
      near: at(0),
      ...(origins.length > 1 && { far: at(1) }),
      fsync: await ctx.fsync(FSYNCS, interval),
    }
  },
  report,
})

type Nodes = Rounds<NodesParams, NodesData>
type Percentile = 'p50' | 'p99'

const savedTime = (which: Percentile) =>
  time(which, ({ saved }: NodesData) => saved, { name: `durable, ${which}`, digits: 2 })
const nearTime = (which: Percentile) =>
  time(which, ({ near }: NodesData) => near, { name: `same node, ${which}`, digits: 2 })

const digits = { digits: 2 } as const
const farTime = (which: Percentile): Metric<Params, NodesData> =>
  metric<NodesData>(`other node, ${which}`, 'ms', ({ far }) => far && summarise(far)[which], digits)
/** Subtracts the times of the same edit at two readers. */
const hopTime = (which: Percentile): Metric<Params, NodesData> =>
  metric<NodesData>(
    `the hop, ${which}`,
    'ms',
    ({ near, far }) => far && summarise(far.map((ms, edit) => ms - near[edit]!))[which],
    digits,
  )
const diskTime = time('p50', ({ fsync }: NodesData) => fsync, { name: 'fdatasync, p50', digits: 2 })

const columns = [
  savedTime('p50'),
  savedTime('p99'),
  nearTime('p50'),
  farTime('p50'),
  farTime('p99'),
  hopTime('p50'),
  hopTime('p99'),
  diskTime,
]

function report(all: Nodes): SectionDeclaration {
  const rows = all.groupBy(titleOf)
  const [two, onPostgres] = [all.where({ lane: nodeLanes.two }), all.where({ lane: nodeLanes.one })]
  const aims = {
    hop50: aim('The hop to another node by Redis, p50', hopTime('p50'), { atMost: 1, of: two }),
    hop99: aim('The hop to another node by Redis, p99', hopTime('p99'), { atMost: 5, of: two }),
    durable: aim('Edit → durable on PostgreSQL, one writer, p50', savedTime('p50'), {
      atMost: 5,
      of: onPostgres,
    }),
  }
  return {
    method: `One writer types a letter every ${all.params!.interval} ms into one document, with a reader at the writer’s node and one at the other node. The hop is how much later the other node’s reader has the same letter. Nothing else happens.`,
    tables: [table('One writer, quiet', rows, columns)],
    charts: [barChart('Until an edit is there', rows, [savedTime('p50'), nearTime('p50'), farTime('p50')])],
    aims: Object.values(aims),
    headlines: [
      {
        what: 'From an edit to its being durable on PostgreSQL, one writer, p50',
        ours: onPostgres.medianText(savedTime('p50')),
        beside: all.where({ lane: 'websocket' }).medianText(savedTime('p50'), 'on SQLite'),
        aims: [aims.durable],
        of: { lane: nodeLanes.one },
      },
      ...(
        [
          ['What the hop to another node by Redis adds, p50', 'p50', aims.hop50],
          ['The same, p99', 'p99', aims.hop99],
        ] as const
      ).map(([what, which, limit]) => ({
        what,
        ours: two.medianText(hopTime(which)),
        beside: all
          .where({ lane: nodeLanes.withoutRedis })
          .medianText(hopTime(which), 'by PostgreSQL’s NOTIFY'),
        aims: [limit],
        of: { lane: nodeLanes.two },
      })),
    ],
    notes: settingsOf(all),
  }
}
