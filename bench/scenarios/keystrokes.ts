/**
 * One window types real key events into the real editor, and others show it. In the same browser and run, a bare relay carries the same
 * frames and the disk syncs alone; the rest of the time is Diptych's. keystrokes-lengths.ts measures documents of different lengths beside
 * plain Tiptap on Hocuspocus.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startProduct } from '../diptych/product-windows.ts'
import type { LengthSamples } from '../lengths/type-at-length.ts'
import { recordKeystrokeFrames } from '../relay/keystroke-frames.ts'
import { relayLanes, startRelay } from '../relay/relay-windows.ts'
import type { Rounds } from '../report/metrics.ts'
import { joinSections, type SectionDeclaration } from '../report/section-declaration.ts'
import { launchBrowser } from '../support/browser.ts'
import type { Context, Scope } from '../support/context.ts'
import { laneNames, type LaneName, schemeOf } from '../support/lanes.ts'
import { number, numbers, someOf, type Values } from '../support/options.ts'
import { countBytes, type CountingProxy, type ProxyBytes } from '../support/counting-proxy.ts'
import { scenario } from '../support/scenario.ts'
import type { PlannedTrial, Trial } from '../support/trial.ts'
import { typeIntoWindows, WARM_UP_KEYS } from '../support/type-text.ts'
import {
  estimateLength,
  type LengthParams,
  planLengths,
  reportLengths,
  runLength,
} from './keystrokes-lengths.ts'
import { type KeystrokesData, type KeystrokesParams, type Network, reportLanes } from './keystrokes-lanes.ts'

const FSYNCS = 30
/** Windows that show the text, as many as in the published comparison. */
const READERS = 4
/** Windows that show the text in one browser, one more than the connections that HTTP/1.1 allows to an address. */
const CROWD = 7
const crowdLanes = ['websocket', 'sse', 'sse-http1'] as const satisfies readonly LaneName[]
/** These lanes have all rounds at 25 ms, because an aim compares two of them there. */
const lanesDelayedOften: readonly LaneName[] = ['websocket', 'sse', 'sse-posts', 'stream', 'long-poll']
/** These have one round at 25 ms, so that each transport has its bytes and its delays. */
const lanesDelayedOnce: readonly LaneName[] = ['websocket-h2', 'sse-http1', 'poll']
const delayedLanes: readonly LaneName[] = [...lanesDelayedOften, ...lanesDelayedOnce]
const delays = ['0', '25', '100'] as const
/** The relay is the peer of all lanes, and Tiptap on Hocuspocus that of all document lengths. */
const peers = ['relay', 'tiptap-hocuspocus'] as const
const subjects = ['diptych', ...peers] as const

const options = {
  subjects: someOf('servers; relay for lanes, tiptap-hocuspocus for document lengths', subjects),
  keys: number('keystrokes of a trial, after the warm-up', 200, 10, 10_000),
  interval: number('mean ms between keys; each pause is 0.5 to 1.5 of it', 100, 5, 5_000),
  lanes: someOf(`lanes to measure: ${laneNames.join(', ')}`, laneNames),
  delays: someOf('ms one way through a proxy, besides without a proxy', delays),
  characters: numbers(
    'characters of the documents that are measured beside Tiptap on Hocuspocus',
    [0, 21_000, 104_000],
    0,
    1_000_000,
  ),
  others: numbers('programs that write into these documents meanwhile', [0, 5], 0, 100),
  pace: number('ms between the letters of each of these programs', 200, 10, 60_000),
  crowd: someOf(`lanes that ${CROWD} windows of one browser show as well`, crowdLanes),
}

export const keystrokesScenario = scenario<
  typeof options,
  KeystrokesParams | LengthParams,
  KeystrokesData | LengthSamples
>({
  name: 'keystrokes',
  sentence:
    'One writer and other windows: from key to sent, applied, painted and saved, also in long documents.',
  options,
  // Quick runs have no crowd, because its lane is not one of theirs.
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

const isOfLength = (params: KeystrokesParams | LengthParams): params is LengthParams => 'characters' in params

function report(
  all: Rounds<KeystrokesParams | LengthParams, KeystrokesData | LengthSamples>,
): SectionDeclaration {
  const part = (wanted: boolean): unknown => all.filter(({ trial }) => isOfLength(trial.params) === wanted)
  const lanes = part(false) as Rounds<KeystrokesParams, KeystrokesData>
  const lengths = part(true) as Rounds<LengthParams, LengthSamples>
  return joinSections([
    ...(lanes.isEmpty ? [] : [reportLanes(lanes)]),
    ...(lengths.isEmpty ? [] : [reportLengths(lengths)]),
  ])
}

function plan(values: Values<typeof options>): PlannedTrial<KeystrokesParams | LengthParams>[][] {
  const { subjects: wanted } = values
  const isMeasured = (peer: (typeof peers)[number]) =>
    wanted.includes(peer) || !peers.some((named) => wanted.includes(named))
  return [
    isMeasured('relay') ? planLanes(values) : [],
    isMeasured('tiptap-hocuspocus') ? planLengths(values) : [],
  ].map((all) => all.filter(({ subject }) => wanted.some((name) => name === subject)))
}

function planLanes(values: Values<typeof options>): PlannedTrial<KeystrokesParams>[] {
  const item = (subject: 'diptych' | 'relay', lane: LaneName, network: Network, windows = 1 + READERS) => ({
    subject,
    lane,
    params: { network, windows },
    ...(hasOneRound(lane, network, windows) && { rounds: 1 }),
  })
  return values.lanes.flatMap((lane) => [
    item('diptych', lane, 'direct'),
    ...(relayLanes.some((known) => known === lane) ? [item('relay', lane, 'direct')] : []),
    ...(delayedLanes.includes(lane) ? values.delays.map((ms) => item('diptych', lane, ms)) : []),
    ...(values.crowd.some((known) => known === lane) ? [item('diptych', lane, 'direct', 1 + CROWD)] : []),
  ])
}

/** One round is enough for bytes, which hardly differ, and for 100 ms, which the delay dominates. No aim counts these. */
const hasOneRound = (lane: LaneName, network: Network, windows: number): boolean =>
  network === '0' ||
  network === '100' ||
  windows > 1 + READERS ||
  (network !== 'direct' && lanesDelayedOnce.includes(lane))

interface Proxies {
  readonly writer: CountingProxy
  readonly readers: CountingProxy
}

const onBothProxies = ({ writer, readers }: Proxies, command: (proxy: CountingProxy) => Promise<void>) =>
  Promise.all([command(writer), command(readers)])

/** The servers live through all trials, so they are warm like those that serve people. */
async function startEnvironment(scope: Scope) {
  const proxies: Proxies = { writer: await scope.startProxy(), readers: await scope.startProxy() }
  const browser = await launchBrowser(scope)
  const product = await startProduct(scope, browser, [proxies.writer.port, proxies.readers.port])
  const frames = await recordKeystrokeFrames(browser, product)
  return { proxies, product, frames, relay: await startRelay(scope, browser, frames) }
}

async function runLane(
  { subject, lane: laneName, params: { network, windows }, round }: Trial<KeystrokesParams>,
  ctx: Context,
  { keys, interval }: Values<typeof options>,
): Promise<KeystrokesData> {
  const { proxies, product, frames, relay } = await ctx.shared('environment', startEnvironment)
  const pacedFsyncs = await ctx.fsync(FSYNCS, interval)
  const program = subject === 'relay' ? relay : product
  const lane = laneName as LaneName
  const server = program.serverOf(lane)
  const through = network === 'direct' ? undefined : proxies
  const { port } = new URL(schemeOf(lane) === 'http' ? server.plainOrigin : server.origin)
  if (through) await onBothProxies(through, (proxy) => proxy.target(Number(port)))
  const isCrowd = windows > 1 + READERS
  const group = await program.open({ lane, readers: windows - 1, together: isCrowd, through })
  try {
    if (through) await onBothProxies(through, (proxy) => proxy.delay(Number(network)))
    if (through) await untilBytesRest(through)
    const before = await server.usage()
    const { result, bytes: writer } = await countBytes(through?.writer, () =>
      countBytes(through?.readers, () =>
        typeIntoWindows(group, { keys, interval, seed: round, around: ctx.measure }),
      ),
    )
    const after = await server.usage()
    const all = keys + WARM_UP_KEYS
    /** The bytes of a key on the connection of one window, both ways. */
    const perKey = ({ up, down }: ProxyBytes, count: number) => ({
      up: up / all / count,
      down: down / all / count,
    })
    return {
      ...result.result,
      pacedFsyncs,
      frames,
      serverCpuMsAKey: (after.cpuMs - before.cpuMs) / all,
      residentKiB: after.residentKiB,
      ...(writer && {
        bytesAKey: { writer: perKey(writer, 1), reader: perKey(result.bytes!, READERS) },
      }),
    }
  } finally {
    if (through) await onBothProxies(through, (proxy) => proxy.delay(0))
    await group.close()
  }
}

const REST_MS = 1_000
/** More than windows that poll receive in that time. */
const REST_BYTES = 16 * 1024
const REST_WITHIN_MS = 20_000

/** Waits until shown pages have loaded what they may need later, because those bytes belong to no key. */
async function untilBytesRest({ writer, readers }: Proxies): Promise<void> {
  const deadline = performance.now() + REST_WITHIN_MS
  for (let before = -Infinity; performance.now() < deadline;) {
    const now = (await writer.bytes()).down + (await readers.bytes()).down
    if (now - before < REST_BYTES) return
    before = now
    await sleep(REST_MS)
  }
}
