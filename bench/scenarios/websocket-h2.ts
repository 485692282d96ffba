/**
 * WebSockets on connections of their own, beside WebSockets within one HTTP/2 connection that all windows of a browser share: the server
 * memory of each, and the time from a keystroke to its acknowledgement and to another window. The windows are clients in Node.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type OpenDocument, openDocumentOver } from '../../lib/client.ts'
import type { NetworkPlatform } from '../../lib/transports/net/net.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { transports } from '../../lib/transports/registry.ts'
import { createSharedDocument, type SharedDocument } from '../../server/fixtures/shared-document.ts'
import { whenAllSynced, closeAll } from '../clients/own-clients.ts'
import { metric, type Rounds, time } from '../report/metrics.ts'
import type { SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
import type { Context } from '../support/context.ts'
import { number, someOf } from '../support/options.ts'
import { scenario } from '../support/scenario.ts'
import { diptych, type ServerProcess } from '../support/server.ts'
import type { PlannedTrial } from '../support/trial.ts'

const CONNECTIONS = 200
const SETTLE_MS = 2_000
const WARM_UP_KEYS = 20

const OWN = 'own connections'
const WITHIN_H2 = 'within HTTP/2'
type LaneName = typeof OWN | typeof WITHIN_H2

type SharingParams = {
  readonly measured: 'memory' | 'keys'
  /** For `memory` the windows of each browser, for `keys` the windows that show the document. */
  readonly windows: number
}

interface SharingData {
  /** The server's resident memory for each window. */
  readonly kib?: number
  /** In milliseconds, as `arrived`. */
  readonly saved?: readonly number[]
  readonly arrived?: readonly number[]
}

const windowCounts = ['1', '5', '20'] as const

/** Memory on connections of their own is measured once, because the number of windows of a browser makes no difference there. */
const allTrials: readonly PlannedTrial<SharingParams>[] = (['memory', 'keys'] as const)
  .flatMap((measured) =>
    windowCounts.flatMap((windows) =>
      [OWN, WITHIN_H2].map((lane) => ({ lane, params: { measured, windows: +windows } })),
    ),
  )
  .filter(({ lane, params }) => params.measured === 'keys' || lane === WITHIN_H2 || params.windows === 1)

export const websocketH2Scenario = scenario({
  name: 'websocket-h2',
  sentence: 'WebSockets on connections of their own and within HTTP/2: server memory, and keystrokes.',
  options: {
    keys: number('keystrokes of a trial, after the warm-up', 200, 10, 10_000),
    interval: number('ms between keys', 50, 5, 5_000),
    windows: someOf('windows of a browser, and of a document', windowCounts),
  },
  quick: { keys: '40', windows: '5' },
  plan: ({ windows }) =>
    allTrials.filter(
      ({ lane, params }) =>
        windows.some((count) => +count === params.windows) || (params.measured === 'memory' && lane === OWN),
    ),
  estimate: ({ params }, { keys, interval }) =>
    params.measured === 'memory' ? 8 : 2 + ((WARM_UP_KEYS + keys) * (interval + 1)) / 1000,
  run: async ({ lane, params: { measured, windows } }, ctx, values): Promise<SharingData> => {
    const server = await ctx.startServer(diptych({ env: { WEBSOCKET_OVER_H2: 'on' } }))
    return measured === 'memory'
      ? { kib: await measureMemory(server, lane as LaneName, windows, ctx) }
      : await ctx.measure(() => typeKeys(server, lane as LaneName, windows, values))
  },
  report,
})

const netOf = (lane: LaneName): NetworkPlatform =>
  createNet({ insecure: true, webSocketOverHttp2: lane === WITHIN_H2 })

/** Returns the server's resident memory for each of many idle windows, in KiB. */
async function measureMemory(
  server: ServerProcess,
  lane: LaneName,
  windows: number,
  ctx: Context,
): Promise<number> {
  const document = await createSharedDocument(server.plainOrigin)
  const open = async (count: number): Promise<void> => {
    const perBrowser = lane === OWN ? count : windows
    const browsers = Array.from({ length: Math.ceil(count / perBrowser) }, () => netOf(lane))
    const opened = browsers.flatMap((net) =>
      Array.from({ length: perBrowser }, () => openWindow(server, document, net)),
    )
    ctx.defer(() => browsers.forEach((net) => net.dispose()))
    ctx.defer(() => closeAll(opened))
    // Presence is switched off, so that only the links are measured.
    for (const { awareness } of opened) awareness.setLocalState(null)
    await whenAllSynced(opened)
    await sleep(SETTLE_MS)
  }
  // The first windows also load what all share.
  await open(CONNECTIONS / 4)
  const before = (await server.usage()).residentKiB
  await open(CONNECTIONS)
  return ((await server.usage()).residentKiB - before) / CONNECTIONS
}

const openWindow = (
  { origin }: ServerProcess,
  { id, tokens }: SharedDocument,
  net: NetworkPlatform,
): OpenDocument =>
  openDocumentOver({ origin, net, token: tokens.editor }, transports, {
    document: id,
    token: tokens.editor,
    transport: 'websocket',
  })

/** The first window types, and the last one records when it has each key. */
async function typeKeys(
  server: ServerProcess,
  lane: LaneName,
  windows: number,
  { keys, interval }: { keys: number; interval: number },
): Promise<SharingData> {
  const net = netOf(lane)
  const document = await createSharedDocument(server.plainOrigin)
  const opened = Array.from({ length: windows }, () => openWindow(server, document, net))
  await whenAllSynced(opened)
  const [writer] = opened as [OpenDocument]
  const protocol = lane === WITHIN_H2 ? 'h2' : 'http/1.1'
  for (const { transport } of opened)
    if (transport?.protocol !== protocol) throw new Error(`wanted ${protocol}, got ${transport?.protocol}`)
  const typed: number[] = []
  const saved: number[] = []
  const arrived: number[] = []
  opened.at(-1)!.doc.on('update', (_update, _origin, _doc, { local }: { local: boolean }) => {
    if (!local) arrived.push(performance.now() - typed.at(-1)!)
  })
  const text = writer.doc.getText('typed')
  for (let key = 0; key < WARM_UP_KEYS + keys; key++) {
    const at = performance.now()
    typed.push(at)
    text.insert(text.length, 'x')
    void writer.whenSaved().then(() => saved.push(performance.now() - at))
    await sleep(interval)
  }
  await writer.whenSaved()
  await closeAll(opened)
  net.dispose()
  return { saved: saved.slice(WARM_UP_KEYS), arrived: arrived.slice(WARM_UP_KEYS) }
}

type Sharing = Rounds<SharingParams, SharingData>

const memory = metric<SharingData>('resident', 'KiB', ({ kib }) => kib)

function report(all: Sharing, { keys }: { readonly keys: number }): SectionDeclaration {
  const rows = all
    .where({ measured: 'memory' })
    .groupBy(({ lane, params }) => (lane === OWN ? lane : `${lane}, ${params.windows} a browser`))
  const typed = all.where({ measured: 'keys' })
  return {
    method: `Clients in Node. Memory is that of ${CONNECTIONS} idle windows. One window types ${keys} keys, timed until they are saved and until the last other window has them.`,
    tables: [
      table('Server memory of a window', rows, [memory], { head: 'WebSockets' }),
      keysTable('Key → saved', typed, 'saved'),
      keysTable(
        'Key → another window',
        typed.filter(({ trial }) => trial.params.windows > 1),
        'arrived',
      ),
    ],
    charts: [barChart('Server memory of a window', rows, [memory])],
    notes: [
      'Resident memory is a coarse measure, because the kernel and the garbage collector release it at their own time.',
    ],
  }
}

const keysTable = (title: string, rounds: Sharing, what: 'saved' | 'arrived') =>
  table(
    title,
    rounds.groupBy(({ lane, params }) => `${params.windows}, ${lane}`),
    (['p50', 'p95', 'p99'] as const).map((which) =>
      time(which, (data: SharingData) => data[what] ?? [], { digits: 2 }),
    ),
    { head: 'windows' },
  )
