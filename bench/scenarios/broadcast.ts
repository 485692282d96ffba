/** Everybody writes to everybody: the time of an edit to the others, and the server's cost of a delivery. */
import { availableParallelism } from 'node:os'
import { measureCrowdRun } from '../crowd/crowd-run.ts'
import { openCrowdInPages } from '../crowd/pages/crowd-in-pages.ts'
import {
  measuredServers,
  missingFor,
  nodeLanes,
  serverOf,
  startWithCrowd,
  withoutDisk,
} from '../crowd/measured-servers.ts'
import { transports } from '../../lib/transports/registry.ts'
import type { TransportId } from '../../lib/transports/transport.ts'
import { createDocumentIn, freshContext, launchBrowser } from '../support/browser.ts'
import type { Context } from '../support/context.ts'
import { diptych } from '../support/server.ts'
import { number, someOf } from '../support/options.ts'
import { countBytes } from '../support/counting-proxy.ts'
import { hasRamDisk } from '../support/ram-disk.ts'
import { scenario } from '../support/scenario.ts'
import type { PlannedTrial, Trial } from '../support/trial.ts'
import {
  type BroadcastData,
  type BroadcastParams,
  type BroadcastPart,
  parts,
  reportBroadcast,
} from './broadcast-report.ts'

const INTERVAL_MS = 500
/** Long enough for the work of the last burst to end. */
const BURST_INTERVAL_MS = 3_000
const BURSTS = 3
const BYTES_SECONDS = 5

const websockets = measuredServers.filter(({ lane }) => lane === 'websocket' || lane === 'stock door')
const names = [...new Set(measuredServers.map(({ subject }) => subject))]
const lanes = [...new Set(measuredServers.map(({ lane }) => lane))]

export const broadcastScenario = scenario({
  name: 'broadcast',
  sentence:
    'Clients in one document, each writing to all: latency, and server time of a delivery, beside the peers.',
  options: {
    parts: someOf('parts to measure', parts),
    subjects: someOf('servers to measure', names),
    lanes: someOf('lanes of the published comparison', lanes),
    seconds: number('seconds of a trial, after the warm-up', 15, 1, 3_600),
    warmup: number('seconds of the warm-up', 5, 1, 600),
    clients: number('clients of the published comparison', 60, 2, 1_000),
    many: number('clients of the part `many`', 200, 2, 2_000),
    pages: number('pages of the browser, two clients in each', 30, 1, 100),
    burst: number('clients that write at once', 1_000, 2, 10_000),
    shared: number('clients of the nodes that share a PostgreSQL', 100, 2, 2_000),
  },
  quick: {
    parts: 'sixty,many',
    subjects: 'diptych,hocuspocus,socket.io',
    seconds: '2',
    warmup: '1',
    pages: '6',
    lanes: 'websocket,sse-h2',
  },
  plan: ({ parts: wanted, subjects: whom, lanes: by, rounds, clients, many, burst, pages, shared }) => {
    const size: Record<BroadcastPart, number> = {
      sixty: clients,
      many,
      'at once': burst,
      bytes: clients,
      browser: 2 * pages,
      nodes: shared,
      'nodes at once': burst,
    }
    return wanted.map((part) =>
      serversIn(part)
        .filter(({ subject, lane }) => whom.includes(subject) && (part !== 'sixty' || by.includes(lane)))
        .map(({ subject, lane }): PlannedTrial<BroadcastParams> => ({
          subject,
          lane,
          params: { part, clients: size[part] },
          rounds: oneRoundParts.has(part) ? 1 : rounds,
        })),
    )
  },
  estimate: ({ params: { part, clients } }, { seconds, warmup }) => {
    const opening = (nodeParts.has(part) ? 10 : 3) + clients / (part === 'browser' ? 4 : 150)
    if (part === 'bytes') return opening + BYTES_SECONDS + warmup
    const bursts = burstsIn(part)
    return opening + (bursts > 0 ? ((bursts + 1) * BURST_INTERVAL_MS) / 1000 : seconds + warmup)
  },
  missing: missingFor,
  async run({ subject, lane, params: { part, clients } }, ctx, { seconds, warmup }): Promise<BroadcastData> {
    if (part === 'browser') return measureInPages(ctx, lane as TransportId, clients, { seconds, warmup })
    const proxy = part === 'bytes' ? await ctx.startProxy() : undefined
    const size = { clients, perDocument: clients, proxy }
    const { server, crowd } = await startWithCrowd(ctx, serverOf({ subject, lane }), size)
    const bursts = burstsIn(part)
    const load =
      bursts > 0
        ? { rhythm: 'together' as const, intervalMs: BURST_INTERVAL_MS }
        : { rhythm: 'spread' as const, intervalMs: INTERVAL_MS }
    await crowd.run({ ...load, edits: bursts > 0 ? 1 : editsIn(warmup) })
    const measured = bursts || editsIn(part === 'bytes' ? BYTES_SECONDS : seconds)
    const { result, ...bytes } = await countBytes(proxy, () =>
      measureCrowdRun(ctx, { server, crowd }, { ...load, edits: measured }),
    )
    return { ...result, ...bytes, ...(nodeParts.has(part) && { cores: availableParallelism() }) }
  },
  report: reportBroadcast,
})

/** These parts have one round, because their figures hardly differ between rounds. */
const oneRoundParts: ReadonlySet<BroadcastPart> = new Set(['bytes', 'browser'])

const nodeParts: ReadonlySet<BroadcastPart> = new Set(['nodes', 'nodes at once'])

/** Returns 0 if clients write one after the other. Nodes have a single burst, because their figure divides by the time of one. */
const burstsIn = (part: BroadcastPart): number =>
  part === 'at once' ? BURSTS : part === 'nodes at once' ? 1 : 0

function serversIn(part: BroadcastPart): readonly Pick<Trial, 'subject' | 'lane'>[] {
  if (nodeParts.has(part)) {
    const own = [nodeLanes.one, nodeLanes.two].map((lane) => ({ subject: 'diptych', lane }))
    return part === 'nodes' ? [...own, { subject: 'hocuspocus', lane: nodeLanes.two }] : own
  }
  if (part === 'browser') return [...transports.keys()].map((lane) => ({ subject: 'diptych', lane }))
  if (part === 'many') return hasRamDisk ? [...websockets, withoutDisk] : websockets
  return part === 'at once' ? websockets : measuredServers
}

const editsIn = (seconds: number): number => (seconds * 1000) / INTERVAL_MS

async function measureInPages(
  ctx: Context,
  transport: TransportId,
  clients: number,
  { seconds, warmup }: { readonly seconds: number; readonly warmup: number },
): Promise<BroadcastData> {
  const server = await ctx.startServer(diptych())
  const { origin } = server
  const context = await freshContext(await launchBrowser(ctx))
  const document = await createDocumentIn(context, origin)
  const { folder } = ctx
  const pages = { folder, origin, document, transport, pages: clients / 2, perPage: 2 }
  const crowd = await openCrowdInPages(context, pages)
  const load = { rhythm: 'spread', intervalMs: INTERVAL_MS } as const
  return measureCrowdRun(
    ctx,
    { server, crowd },
    { ...load, warmUp: editsIn(warmup), edits: editsIn(seconds) },
  )
}
