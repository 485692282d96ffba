/**
 * What a WebSocket costs on a connection of its own, and within the HTTP/2 connection that all windows of a browser share: on the
 * server's memory, and from a keystroke to its acknowledgement and to another window. Windows here are clients in Node, which share
 * one HTTP/2 connection as a browser's do.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openDocumentOver } from '../../lib/client.ts'
import type { OpenDocument } from '../../lib/client.ts'
import type { NetworkPlatform } from '../../lib/transports/net/net.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { transports } from '../../lib/transports/registry.ts'
import { createSharedDocument, type SharedDocument } from '../../server/fixtures/shared-document.ts'
import type { Cell, Section, Table } from '../report/section.ts'
import type { Context } from '../support/context.ts'
import { number, someOf } from '../support/options.ts'
import { interleaved, type Outcome, scenario, type Trial } from '../support/scenario.ts'
import { diptych, type ServerProcess } from '../support/server.ts'
import { overRounds, summarise } from '../support/stats.ts'

const CONNECTIONS = 200
const SETTLE_MS = 2_000
const WARM_UP_KEYS = 20

type Way = 'own connections' | 'within HTTP/2'

/** `memory` with windows a browser, `keys` with windows that show the document. */
interface About {
  readonly [name: string]: string | number
  readonly measured: 'memory' | 'keys'
  readonly windows: number
}

interface Measured {
  /** Of the server's resident memory, each window. */
  readonly kib?: number
  /** ms each */
  readonly saved?: readonly number[]
  readonly arrived?: readonly number[]
}

const windowCounts = ['1', '5', '20'] as const

interface Measuring {
  readonly way: Way
  readonly about: About
}

const allTrials: readonly Measuring[] = [
  { way: 'own connections', about: { measured: 'memory', windows: 1 } },
  ...[1, 5, 20].map((windows) => ({
    way: 'within HTTP/2' as const,
    about: { measured: 'memory' as const, windows },
  })),
  ...[1, 5, 20].flatMap((windows) =>
    (['own connections', 'within HTTP/2'] as const).map((way) => ({
      way,
      about: { measured: 'keys' as const, windows },
    })),
  ),
]

export const websocketH2 = scenario({
  name: 'websocket-h2',
  sentence: 'WebSockets on connections of their own and within HTTP/2: memory of the server, and keystrokes.',
  options: {
    keys: number('keystrokes of a trial, after the warm-up', 200, 10, 10_000),
    rounds: number('rounds; the order within them alternates: A B, B A', 3, 1, 100),
    interval: number('ms between keys', 50, 5, 5_000),
    windows: someOf('windows of a browser, and of a document', windowCounts, windowCounts),
  },
  quick: { keys: '40', rounds: '1', windows: '5' },
  plan: ({ rounds, windows }) =>
    interleaved(rounds, allTrials.filter(isAbout(windows))).map(({ round, item }) => ({
      subject: 'diptych',
      lane: item.way,
      params: item.about,
      round,
    })),
  estimate: ({ params }, { keys, interval }) =>
    params.measured === 'memory' ? 8 : 2 + ((WARM_UP_KEYS + keys) * (interval + 1)) / 1000,
  run: async ({ lane, params: { measured, windows } }, ctx, values): Promise<Measured> => {
    const server = await ctx.startServer(diptych({ env: { WEBSOCKET_OVER_H2: 'on' } }))
    return measured === 'memory'
      ? { kib: await memoryOf(server, lane as Way, windows, ctx) }
      : await ctx.measure(() => play(server, lane as Way, windows, values))
  },
  report,
})

const isAbout =
  (windows: readonly string[]) =>
  ({ way, about }: Measuring): boolean =>
    windows.includes(String(about.windows)) || (about.measured === 'memory' && way === 'own connections')

const netOf = (way: Way): NetworkPlatform =>
  createNet({ insecure: true, webSocketOverHttp2: way === 'within HTTP/2' })

/** KiB of the server's resident memory for each of many windows that do nothing. */
async function memoryOf(server: ServerProcess, way: Way, windows: number, ctx: Context): Promise<number> {
  const nets = new Map<number, NetworkPlatform>()
  ctx.defer(() => nets.forEach((net) => net.dispose()))
  const netFor = (window: number): NetworkPlatform => {
    const browser = way === 'own connections' ? 0 : Math.floor(window / windows)
    const net = nets.get(browser) ?? netOf(way)
    nets.set(browser, net)
    return net
  }
  const document = await createSharedDocument(server.plainOrigin)
  const open = async (count: number, first: number): Promise<void> => {
    const more = Array.from({ length: count }, (_, index) =>
      openWindow(server, document, netFor(first + index)),
    )
    ctx.defer(async () => void (await Promise.all(more.map((one) => one.close()))))
    // Says nothing of itself: what is measured is the link, not who is told of whom.
    for (const { awareness } of more) awareness.setLocalState(null)
    await Promise.all(more.map(({ whenSynced }) => whenSynced))
    await sleep(SETTLE_MS)
  }
  await open(CONNECTIONS / 4, 0) // what the first ones cost besides
  const before = (await server.usage()).residentKiB
  // Whole browsers, none of which is half there already.
  await open(CONNECTIONS, CONNECTIONS)
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

/** The first window types; of the others the last one tells when it has it. */
async function play(
  server: ServerProcess,
  way: Way,
  windows: number,
  { keys, interval }: { keys: number; interval: number },
): Promise<Measured> {
  const net = netOf(way)
  const document = await createSharedDocument(server.plainOrigin)
  const opened = Array.from({ length: windows }, () => openWindow(server, document, net))
  await Promise.all(opened.map(({ whenSynced }) => whenSynced))
  const [writer] = opened as [OpenDocument]
  const protocol = way === 'within HTTP/2' ? 'h2' : 'http/1.1'
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
  await Promise.all(opened.map((one) => one.close()))
  net.dispose()
  return { saved: saved.slice(WARM_UP_KEYS), arrived: arrived.slice(WARM_UP_KEYS) }
}

type OneOutcome = Outcome<About, Measured>

interface Wanted {
  readonly keys: number
  readonly windows: readonly string[]
}

function report(outcomes: readonly OneOutcome[], { keys, windows }: Wanted): Section {
  const wanted = allTrials.filter(isAbout(windows))
  const memory = memoryTable(wanted, outcomes)
  return {
    method: `Clients in Node. Memory of ${CONNECTIONS} windows that do nothing; ${keys} keys of one window, to saved and to the last of the other windows.`,
    tables: [
      memory,
      keysTable('Key → saved', wanted, outcomes, 'saved'),
      keysTable('Key → another window', wanted, outcomes, 'arrived'),
    ],
    charts: [
      {
        kind: 'bars',
        title: memory.title,
        unit: 'KiB',
        groups: memory.rows.map(([name]) => name as string),
        series: [
          { name: 'resident memory', values: memory.rows.map(([, kib]) => kib as Exclude<Cell, string>) },
        ],
      },
    ],
    aims: [],
    headlines: [],
    notes: [
      'Resident memory is a coarse measure: the kernel and the garbage collector give it back when they like.',
    ],
  }
}

const inRoundsOf = (
  outcomes: readonly OneOutcome[],
  { lane, params }: Pick<Trial<About>, 'lane' | 'params'>,
) =>
  outcomes
    .filter(({ trial }) => trial.lane === lane && JSON.stringify(trial.params) === JSON.stringify(params))
    .map(({ data }) => data)

function memoryTable(wanted: readonly Measuring[], outcomes: readonly OneOutcome[]): Table {
  const rows = wanted.filter(({ about }) => about.measured === 'memory')
  return {
    title: 'Server memory of a window',
    columns: [{ name: 'WebSockets' }, { name: 'resident', unit: 'KiB' }],
    rows: rows.map(({ way, about }) => [
      way === 'own connections' ? way : `${way}, ${about.windows} a browser`,
      overRounds(inRoundsOf(outcomes, { lane: way, params: about }).map(({ kib }) => kib!)),
    ]),
  }
}

function keysTable(
  title: string,
  wanted: readonly Measuring[],
  outcomes: readonly OneOutcome[],
  what: 'saved' | 'arrived',
): Table {
  const rows = wanted.filter(
    ({ about: { measured, windows } }) => measured === 'keys' && (what === 'saved' || windows > 1),
  )
  return {
    title,
    columns: [
      { name: 'windows' },
      ...(['p50', 'p95', 'p99'] as const).map((name) => ({ name, unit: 'ms', digits: 2 })),
    ],
    rows: rows.map(({ way, about }) => {
      const rounds = inRoundsOf(outcomes, { lane: way, params: about }).map((data) => summarise(data[what]!))
      return [
        `${about.windows}, ${way}`,
        ...(['p50', 'p95', 'p99'] as const).map((name) => overRounds(rounds.map((round) => round[name]))),
      ]
    }),
  }
}
