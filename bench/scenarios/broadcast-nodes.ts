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
import { formatFixed } from '../report/format-figures.ts'
import { metric, type Metric, ratio, type Rounds } from '../report/metrics.ts'
import { aim, besidePeers } from '../report/section-declaration.ts'
import { table } from '../report/tables-and-charts.ts'
import { busyReason } from '../report/miss-reasons.ts'
import { summaryOf } from '../support/histogram.ts'
import type { Params } from '../support/trial.ts'

export interface NodesRun extends CrowdRun {
  /** The number of cores that nodes, crowd, PostgreSQL and Redis share; only parts with nodes record it. */
  readonly cores?: number
}

type Nodes = Rounds<Params & { readonly clients: number }, NodesRun>

/** Two nodes should carry this many times one node’s deliveries, if each has its own cores. */
const GAIN = 1.6
/** Each node with its threads needs two cores, and the crowd, PostgreSQL and Redis need one each. */
const CORES_NEEDED = 7

/** Divides the deliveries to all receivers by the time from when all wrote until the last arrival. */
const deliveryRate: Metric<Params, NodesRun> = metric<NodesRun>(
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

const oneNode = (rounds: Nodes): Nodes => rounds.where({ subject: 'diptych', lane: nodeLanes.one })
const twoNodes = (rounds: Nodes): Nodes => rounds.where({ subject: 'diptych', lane: nodeLanes.two })
const theirs = (rounds: Nodes): Nodes => rounds.where({ subject: 'hocuspocus', lane: nodeLanes.two })

/** @param spread Clients that write one after the other. @param atOnce Clients that write in the same moment. */
export function nodesReport(spread: Nodes, atOnce: Nodes) {
  const gain = 1 / ratio(deliveryRate, oneNode(atOnce), twoNodes(atOnce))
  const cores = atOnce.data[0]?.cores ?? 0
  const aims = {
    cpu: aim('CPU of two nodes a delivery, beside Hocuspocus with its Redis extension', cpuADelivery, {
      atMost: 0.5,
      of: twoNodes(spread),
      beside: theirs(spread),
    }),
    carried: {
      name: `Deliveries a second by one node, of those by two (${GAIN} × is asked for)`,
      measured: cores < CORES_NEEDED ? Number.NaN : 1 / gain,
      limit: 1 / GAIN,
      unit: '×',
      reason: busyReason(twoNodes(atOnce)),
    },
  }
  return {
    tables: [
      table(
        `${clients(spread)} clients on nodes, half of them on each of two, 2 edits a second each`,
        spread.groupBy(titleOf),
        [
          delivery('p50'),
          delivery('p95'),
          delivery('p99'),
          acknowledgement('p50', { name: 'own, p50' }),
          ...costColumns,
        ],
        {
          note: '“Server” is all nodes together; Redis and PostgreSQL have columns of their own. Hocuspocus stores its documents in the same PostgreSQL, 2 s after an edit.',
        },
      ),
      table(
        `${clients(atOnce)} clients on nodes, all at once`,
        atOnce.groupBy(titleOf),
        [deliveryRate, delivery('p50'), delivery('p99'), ...costColumns],
        {
          note: '“Carried” is all deliveries of the burst, divided by the time until the last one. A frame carries many deliveries.',
        },
      ),
    ],
    aims,
    headlines: [
      {
        what: `CPU of two nodes a delivery, ${clients(spread)} clients writing to all`,
        ...besidePeers(
          cpuADelivery,
          twoNodes(spread),
          { 'Hocuspocus with its Redis extension': theirs(spread), 'one node': oneNode(spread) },
          2,
        ),
        aims: [aims.cpu],
        of: { part: 'nodes' },
      },
      {
        what: `Deliveries a second by two nodes, ${clients(atOnce)} clients writing at once`,
        ours: twoNodes(atOnce).medianText(deliveryRate),
        beside: [
          oneNode(atOnce).medianText(deliveryRate, 'one node'),
          cores < CORES_NEEDED ? fewCoresText(cores) : undefined,
        ],
        aims: [aims.carried],
        of: { part: 'nodes at once' },
      },
    ],
    notes: [
      projectionNote(spread),
      Number.isNaN(gain) || cores >= CORES_NEEDED ? undefined : sharedCoresNote(gain, cores),
    ],
  }
}

const clients = (rounds: Nodes): string => formatFixed(rounds.params?.clients ?? 0, 0)

const fewCoresText = (cores: number): string => `${cores} cores do not allow ${GAIN} ×`

const sharedCoresNote = (gain: number, cores: number): string =>
  `All at once, two nodes carried ${formatFixed(gain, 2)} × one node’s deliveries. ${fewCoresText(cores)}, because nodes, crowd, PostgreSQL and Redis share them, and a node alone takes more than one. With ${CORES_NEEDED} or more cores this is an aim.`

/** Compares by processor time, which does not depend on what else uses the cores. */
function projectionNote(spread: Nodes): string | undefined {
  const times = 2 / ratio(cpuADelivery, twoNodes(spread), oneNode(spread))
  return Number.isNaN(times)
    ? undefined
    : `By their processor time a delivery, two nodes with their own cores would carry ${formatFixed(times, 2)} × one node’s deliveries.`
}
