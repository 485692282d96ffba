/** Reports what two nodes carry beside one on the same PostgreSQL, and what a delivery costs beside two nodes of Hocuspocus. Pure. */
import type { CrowdRun } from '../crowd/crowd-run.ts'
import {
  acknowledgement,
  besideCpuADelivery,
  cpuADelivery,
  delivery,
  exactlyOnce,
  resident,
  serverCpu,
} from '../crowd/crowd-metrics.ts'
import { nodeLanes, titleOf } from '../crowd/measured-servers.ts'
import { plain } from '../report/figures.ts'
import { metric, type Metric, ratio, type Rounds, table } from '../report/metrics.ts'
import { becauseBusy } from '../report/reasons.ts'
import { summaryOf } from '../support/histogram.ts'
import type { Params } from '../support/trial.ts'

export interface NodesRun extends CrowdRun {
  /** The number of cores that nodes, crowd, PostgreSQL and Redis share; only parts with nodes record it. */
  readonly cores?: number
}

type Nodes = Rounds<Params & { readonly clients: number }, NodesRun>

/** Two nodes should carry this many times one node’s deliveries, where each has a core of its own. */
const TIMES = 1.6
/** Two for each node with its other threads, and one each for the crowd, PostgreSQL and Redis. */
const CORES = 7

/** Divides the deliveries to all receivers by the time from when all wrote to the last arrival. */
const carried: Metric<Params, NodesRun> = metric<NodesRun>(
  'carried',
  'deliveries/s',
  ({ tally }) => tally.delivered / (summaryOf(tally.delivery).max / 1000),
  { digits: 0, better: 'more' },
)

const [redisCpu, postgresCpu] = [
  besideCpuADelivery('redis', 'Redis'),
  besideCpuADelivery('postgres', 'PostgreSQL'),
]
const costColumns: readonly Metric<Params, NodesRun>[] = [
  serverCpu,
  cpuADelivery,
  redisCpu,
  postgresCpu,
  resident,
  ...exactlyOnce,
]

const one = (rounds: Nodes): Nodes => rounds.where({ subject: 'diptych', lane: nodeLanes.one })
const two = (rounds: Nodes): Nodes => rounds.where({ subject: 'diptych', lane: nodeLanes.two })
const theirs = (rounds: Nodes): Nodes => rounds.where({ subject: 'hocuspocus', lane: nodeLanes.two })

/** @param spread Clients that write one after the other. @param atOnce Clients that write in the same moment. */
export function nodesReport(spread: Nodes, atOnce: Nodes) {
  const gain = 1 / ratio(carried, one(atOnce), two(atOnce))
  const cores = atOnce.data[0]?.cores ?? 0
  const aims = {
    cpu: {
      name: 'CPU of two nodes a delivery, beside Hocuspocus with its Redis extension',
      measured: ratio(cpuADelivery, two(spread), theirs(spread)),
      limit: 0.5,
      unit: '×',
      reason: becauseBusy(two(spread)),
    },
    carried: {
      name: `Deliveries a second by one node, of those by two (${TIMES} × is asked for)`,
      measured: cores < CORES ? Number.NaN : 1 / gain,
      limit: 1 / TIMES,
      unit: '×',
      reason: becauseBusy(two(atOnce)),
    },
  }
  return {
    tables: [
      table(
        `${clients(spread)} clients on nodes, half of them on each of two, 2 edits a second each`,
        spread.by(titleOf),
        [
          delivery('p50'),
          delivery('p95'),
          delivery('p99'),
          acknowledgement('p50', { name: 'own, p50' }),
          ...costColumns,
        ],
        {
          note: '“Server” is all nodes together; Redis and PostgreSQL are counted apart. Hocuspocus keeps its documents in the same PostgreSQL, 2 s after an edit.',
        },
      ),
      table(
        `${clients(atOnce)} clients on nodes, all at once`,
        atOnce.by(titleOf),
        [carried, delivery('p50'), delivery('p99'), ...costColumns],
        {
          note: '“Carried” is all deliveries of the burst, divided by the time until the last of them. A frame carries many of them.',
        },
      ),
    ],
    aims,
    headlines: [
      {
        what: `CPU of two nodes a delivery, ${clients(spread)} clients writing to all`,
        ours: two(spread).words(cpuADelivery, '', 2),
        beside: [
          theirs(spread).words(cpuADelivery, 'Hocuspocus with its Redis extension', 2),
          one(spread).words(cpuADelivery, 'one node', 2),
        ],
        aims: [aims.cpu],
        of: { part: 'nodes' },
      },
      {
        what: `Deliveries a second by two nodes, ${clients(atOnce)} clients writing at once`,
        ours: two(atOnce).words(carried),
        beside: [one(atOnce).words(carried, 'one node'), cores < CORES ? tooFew(cores) : undefined],
        aims: [aims.carried],
        of: { part: 'nodes at once' },
      },
    ],
    notes: [projection(spread), Number.isNaN(gain) || cores >= CORES ? undefined : sharedCores(gain, cores)],
  }
}

const clients = (rounds: Nodes): string => plain(rounds.params?.clients ?? 0, 0)

const tooFew = (cores: number): string => `${cores} cores do not allow ${TIMES} ×`

const sharedCores = (gain: number, cores: number): string =>
  `All at once, two nodes carried ${plain(gain, 2)} × one node’s deliveries. ${tooFew(cores)}: the nodes, the crowd, PostgreSQL and Redis shared them, and a node alone takes more than one. With ${CORES} or more it is an aim.`

/** Compares by processor time, which does not depend on who else wants the cores. */
function projection(spread: Nodes): string | undefined {
  const times = 2 / ratio(cpuADelivery, two(spread), one(spread))
  return Number.isNaN(times)
    ? undefined
    : `By their processor time a delivery, two nodes with cores of their own would carry ${plain(times, 2)} × one node’s deliveries.`
}
