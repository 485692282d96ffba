/** One writer, quiet: from an edit to its being durable on PostgreSQL, and what the hop to another node adds. */
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
import {
  bars,
  metric,
  type Metric,
  type Rounds,
  type SectionDeclaration,
  table,
  time,
} from '../report/metrics.ts'
import { becauseBusy } from '../report/reasons.ts'
import { number, someOf } from '../support/options.ts'
import { processesOf } from '../support/nodes.ts'
import { scenario } from '../support/scenario.ts'
import { summarise } from '../support/stats.ts'
import type { Params } from '../support/trial.ts'

const WARM_UP = 20
const FSYNCS = 50
const PROTOCOL = 'diptych websocket'

/** By a name without commas, for the command line. */
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
  /** From when an edit was due, in ms: until its writer knows that it is durable. */
  readonly saved: readonly number[]
  /** Until a reader at the same node has it. */
  readonly near: readonly number[]
  /** Until a reader at the other node has it. None where there is one node. */
  readonly far?: readonly number[]
  /** Appends of 4 KiB with fdatasync, as far apart as the edits. */
  readonly fsync: readonly number[]
}

export const nodes = scenario({
  name: 'nodes',
  sentence: 'One writer: until an edit is durable on PostgreSQL, and what the hop to another node adds.',
  options: {
    lanes: someOf('one node on SQLite or on PostgreSQL, two joined by Redis or by NOTIFY', names, names),
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

const saved = (which: Percentile) =>
  time(which, ({ saved }: NodesData) => saved, { name: `durable, ${which}`, digits: 2 })
const near = (which: Percentile) =>
  time(which, ({ near }: NodesData) => near, { name: `same node, ${which}`, digits: 2 })

const digits = { digits: 2 } as const
const far = (which: Percentile): Metric<Params, NodesData> =>
  metric<NodesData>(`other node, ${which}`, 'ms', ({ far }) => far && summarise(far)[which], digits)
/** Of the same edit, at two readers. */
const hop = (which: Percentile): Metric<Params, NodesData> =>
  metric<NodesData>(
    `the hop, ${which}`,
    'ms',
    ({ near, far }) => far && summarise(far.map((ms, edit) => ms - near[edit]!))[which],
    digits,
  )
const disk = time('p50', ({ fsync }: NodesData) => fsync, { name: 'fdatasync, p50', digits: 2 })

const columns = [
  saved('p50'),
  saved('p99'),
  near('p50'),
  far('p50'),
  far('p99'),
  hop('p50'),
  hop('p99'),
  disk,
]

function report(all: Nodes): SectionDeclaration {
  const rows = all.by(titleOf)
  const [two, onPostgres] = [all.where({ lane: nodeLanes.two }), all.where({ lane: nodeLanes.one })]
  const aim = (name: string, rounds: Nodes, figure: Metric<Params, NodesData>, limit: number) => ({
    name,
    measured: rounds.median(figure),
    limit,
    unit: 'ms',
    reason: becauseBusy(rounds),
  })
  const aims = {
    hop50: aim('The hop to another node by Redis, p50', two, hop('p50'), 1),
    hop99: aim('The hop to another node by Redis, p99', two, hop('p99'), 5),
    durable: aim('Edit → durable on PostgreSQL, one writer, p50', onPostgres, saved('p50'), 5),
  }
  return {
    method: `One writer in one document, a letter every ${all.params!.interval} ms; a reader at the writer’s node and one at the other. The hop is how much later the same letter is at the other node. Nothing else happens.`,
    tables: [table('One writer, quiet', rows, columns)],
    charts: [bars('Until an edit is there', rows, [saved('p50'), near('p50'), far('p50')])],
    aims: Object.values(aims),
    headlines: [
      {
        what: 'From an edit to its being durable on PostgreSQL, one writer, p50',
        ours: onPostgres.words(saved('p50')),
        beside: all.where({ lane: 'websocket' }).words(saved('p50'), 'on SQLite'),
        aims: [aims.durable],
        of: { lane: nodeLanes.one },
      },
      {
        what: 'What the hop to another node by Redis adds, p50',
        ours: two.words(hop('p50')),
        beside: all.where({ lane: nodeLanes.withoutRedis }).words(hop('p50'), 'by PostgreSQL’s NOTIFY'),
        aims: [aims.hop50],
        of: { lane: nodeLanes.two },
      },
      {
        what: 'The same, p99',
        ours: two.words(hop('p99')),
        beside: all.where({ lane: nodeLanes.withoutRedis }).words(hop('p99'), 'by PostgreSQL’s NOTIFY'),
        aims: [aims.hop99],
        of: { lane: nodeLanes.two },
      },
    ],
    notes: settingsOf(all),
  }
}
