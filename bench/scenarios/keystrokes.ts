/**
 * One window types real key events into the real editor, others show it. Beside it a bare relay carries the same frames in the same
 * browser in the same run, and the disk syncs alone: what is left between is ours. Beside plain Tiptap on Hocuspocus documents have a
 * length: see keystrokes-lengths.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { startProduct } from '../diptych/product-windows.ts'
import type { LengthSamples } from '../lengths/type-at-length.ts'
import { recordKeystrokeFrames } from '../relay/keystroke-frames.ts'
import { relayLanes, startRelay } from '../relay/relay-windows.ts'
import type { Rounds, SectionDeclaration } from '../report/metrics.ts'
import { launchBrowser } from '../support/browser.ts'
import type { Context, Scope } from '../support/context.ts'
import { laneNames, type LaneName, schemeOf } from '../support/lanes.ts'
import { number, numbers, someOf, type Values } from '../support/options.ts'
import { countBytes, type CountingProxy, type ProxyBytes } from '../support/counting-proxy.ts'
import { scenario } from '../support/scenario.ts'
import type { PlannedTrial, Trial } from '../support/trial.ts'
import type { TypedProgram } from '../support/typed-windows.ts'
import { typeIntoWindows, WARM_UP_KEYS } from '../support/type-text.ts'
import {
  estimateLength,
  type LengthParams,
  planLengths,
  reportLengths,
  runLength,
} from './keystrokes-lengths.ts'
import {
  type KeystrokesData,
  type KeystrokesParams,
  type Network,
  report as reportLanes,
} from './keystrokes-metrics.ts'

const FSYNCS = 30
/** Beside the one that types, as in the published comparison. */
const READERS = 4
/** In one browser: one more than HTTP/1.1 gives connections to an address. */
const CROWD = 7
const crowdLanes = ['websocket', 'sse', 'sse-http1'] as const satisfies readonly LaneName[]
/** In each round at 25 ms: an aim counts one of them, and the others stand beside it. */
const delayedOften: readonly LaneName[] = ['websocket', 'sse', 'sse-posts', 'stream', 'long-poll']
/** So that each way has its bytes and its delays. */
const delayedOnce: readonly LaneName[] = ['websocket-h2', 'sse-http1', 'poll']
const delayedLanes: readonly LaneName[] = [...delayedOften, ...delayedOnce]
const delays = ['0', '25', '100'] as const
/** Beside the relay there are all the ways, beside Tiptap on Hocuspocus all the lengths. */
const peers = ['relay', 'tiptap-hocuspocus'] as const
const subjects = ['diptych', ...peers] as const

const options = {
  subjects: someOf('who; of Diptych what is measured beside the peers that are named', subjects, subjects),
  keys: number('keystrokes of a trial, after the warm-up', 200, 10, 10_000),
  interval: number('ms between keys, on average; each is 0.5 to 1.5 of it', 100, 5, 5_000),
  lanes: someOf(`ways to measure: ${laneNames.join(', ')}`, laneNames, laneNames),
  delays: someOf('ms one way through a proxy, beside no proxy', delays, delays),
  characters: numbers(
    'characters that documents have beside Tiptap on Hocuspocus',
    [0, 21_000, 104_000],
    0,
    1_000_000,
  ),
  others: numbers('programs that write meanwhile there', [0, 5], 0, 100),
  pace: number('ms between two letters of each of these programs', 200, 10, 60_000),
  crowd: someOf(`of them those that ${CROWD} windows of one browser show, too`, crowdLanes, crowdLanes),
}

export const keystrokes = scenario<
  typeof options,
  KeystrokesParams | LengthParams,
  KeystrokesData | LengthSamples
>({
  name: 'keystrokes',
  sentence:
    'One writer and other windows: from key to sent, applied, painted and saved, also as documents grow.',
  options,
  // The crowd’s lane is none of the lanes: quick runs have no crowd.
  quick: {
    subjects: 'diptych,relay',
    keys: '20',
    interval: '50',
    lanes: 'websocket,sse',
    delays: '25',
    crowd: 'sse-http1',
    characters: '21000',
    others: '5',
  },
  plan,
  estimate: ({ params }, values) =>
    isOfLength(params)
      ? estimateLength(params, values)
      : 5 + 1.2 * params.windows + ((values.keys + WARM_UP_KEYS) * values.interval) / 1000,
  async run(trial, ctx, values) {
    const { params } = trial
    return isOfLength(params)
      ? runLength({ ...trial, params }, ctx, values)
      : runLane({ ...trial, params }, ctx, values)
  },
  pages: true,
  report,
})

async function runLane(
  trial: Trial<KeystrokesParams>,
  ctx: Context,
  { keys, interval }: Values<typeof options>,
): Promise<KeystrokesData> {
  const environment = await ctx.shared('environment', startEnvironment)
  const frames = await ctx.shared('frames', () =>
    recordKeystrokeFrames(environment.browser, environment.product),
  )
  const relay = await ctx.shared('relay', (scope) => startRelay(scope, environment.browser, frames))
  const pacedFsyncs = await ctx.fsync(FSYNCS, interval)
  const program = trial.subject === 'relay' ? relay : environment.product
  return { pacedFsyncs, frames, ...(await typeBy(trial, ctx, { environment, program }, { keys, interval })) }
}

const isOfLength = (params: KeystrokesParams | LengthParams): params is LengthParams => 'characters' in params

function report(
  all: Rounds<KeystrokesParams | LengthParams, KeystrokesData | LengthSamples>,
): SectionDeclaration {
  const part = (wanted: boolean): unknown => all.filter(({ trial }) => isOfLength(trial.params) === wanted)
  const lanes = part(false) as Rounds<KeystrokesParams, KeystrokesData>
  const lengths = part(true) as Rounds<LengthParams, LengthSamples>
  const sections = [
    ...(lanes.isEmpty ? [] : [reportLanes(lanes)]),
    ...(lengths.isEmpty ? [] : [reportLengths(lengths)]),
  ]
  return {
    method: sections.map(({ method }) => method).join(' '),
    tables: sections.flatMap(({ tables }) => tables),
    charts: sections.flatMap(({ charts = [] }) => charts),
    aims: sections.flatMap(({ aims = [] }) => aims),
    headlines: sections.flatMap(({ headlines = [] }) => headlines),
    notes: sections.flatMap(({ notes = [] }) => notes),
  }
}

function plan(values: Values<typeof options>): PlannedTrial<KeystrokesParams | LengthParams>[][] {
  const { subjects: wanted } = values
  const isBeside = (peer: (typeof peers)[number]) =>
    wanted.includes(peer) || !peers.some((named) => wanted.includes(named))
  return [
    isBeside('relay') ? planLanes(values) : [],
    isBeside('tiptap-hocuspocus') ? planLengths(values) : [],
  ].map((all) => all.filter(({ subject }) => wanted.some((name) => name === subject)))
}

function planLanes(values: Values<typeof options>): PlannedTrial<KeystrokesParams>[] {
  const item = (subject: 'diptych' | 'relay', lane: LaneName, network: Network, windows = 1 + READERS) => ({
    subject,
    lane,
    params: { network, windows },
    ...(isOnce(lane, network, windows) && { rounds: 1 }),
  })
  return values.lanes.flatMap((lane) => [
    item('diptych', lane, 'direct'),
    ...(relayLanes.some((known) => known === lane) ? [item('relay', lane, 'direct')] : []),
    ...(delayedLanes.includes(lane) ? values.delays.map((ms) => item('diptych', lane, ms)) : []),
    ...(values.crowd.some((known) => known === lane) ? [item('diptych', lane, 'direct', 1 + CROWD)] : []),
  ])
}

/** Bytes hardly differ from round to round, and what is 100 ms away is mostly that; no aim counts them. */
const isOnce = (lane: LaneName, network: Network, windows: number): boolean =>
  network === '0' ||
  network === '100' ||
  windows > 1 + READERS ||
  (network !== 'direct' && delayedOnce.includes(lane))

interface Proxies {
  readonly writer: CountingProxy
  readonly readers: CountingProxy
}

const tellBoth = ({ writer, readers }: Proxies, order: (proxy: CountingProxy) => Promise<void>) =>
  Promise.all([order(writer), order(readers)])

interface Environment {
  readonly browser: Browser
  readonly product: TypedProgram
  readonly proxies: Proxies
}

/** The servers are warm after the first trials, as one that serves people is. */
async function startEnvironment(scope: Scope): Promise<Environment> {
  const proxies = { writer: await scope.startProxy(), readers: await scope.startProxy() }
  const browser = await launchBrowser(scope)
  const ports = [proxies.writer.port, proxies.readers.port]
  return { browser, proxies, product: await startProduct(scope, browser, ports) }
}

async function typeBy(
  { lane: laneName, params: { network, windows }, round }: Trial<KeystrokesParams>,
  ctx: Context,
  { environment, program }: { readonly environment: Environment; readonly program: TypedProgram },
  { keys, interval }: { readonly keys: number; readonly interval: number },
): Promise<Omit<KeystrokesData, 'pacedFsyncs' | 'frames'>> {
  const lane = laneName as LaneName
  const server = program.serverOf(lane)
  const through = network === 'direct' ? undefined : environment.proxies
  const { port } = new URL(schemeOf(lane) === 'http' ? server.plainOrigin : server.origin)
  if (through) await tellBoth(through, (proxy) => proxy.target(Number(port)))
  const group = await program.open({
    lane,
    readers: windows - 1,
    together: windows > 1 + READERS,
    through,
  })
  try {
    if (through) await tellBoth(through, (proxy) => proxy.delay(Number(network)))
    if (through) await untilStill(through)
    const before = await server.usage()
    const { result, bytes: writer } = await countBytes(through?.writer, () =>
      countBytes(through?.readers, () =>
        typeIntoWindows(group, { keys, interval, seed: round, around: ctx.measure }),
      ),
    )
    const after = await server.usage()
    const all = keys + WARM_UP_KEYS
    /** The bytes on the connection of one window, both ways, while it types or shows. */
    const perKey = ({ up, down }: ProxyBytes, count: number) => ({
      up: up / all / count,
      down: down / all / count,
    })
    return {
      ...result.result,
      serverCpuMsAKey: (after.cpuMs - before.cpuMs) / all,
      residentKiB: after.residentKiB,
      ...(writer && {
        bytesAKey: { writer: perKey(writer, 1), reader: perKey(result.bytes!, READERS) },
      }),
    }
  } finally {
    if (through) await tellBoth(through, (proxy) => proxy.delay(0))
    await group.close()
  }
}

const STILL_MS = 1_000
/** What windows that poll say in that time. */
const STILL_BYTES = 16 * 1024
const PATIENCE_MS = 20_000

/** Pages load what they may need later once they are shown: that is no key's. */
async function untilStill({ writer, readers }: Proxies): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  for (let before = -Infinity; performance.now() < deadline;) {
    const now = (await writer.bytes()).down + (await readers.bytes()).down
    if (now - before < STILL_BYTES) return
    before = now
    await sleep(STILL_MS)
  }
}
