/** Reports the lanes of `keystrokes` beside the bare relay and published figures. Pure. */
import { publishedKeystrokes, sources } from '../published-figures.ts'
import { base64Bytes, type KeystrokeFrames } from '../relay/keystroke-frames.ts'
import { formatFixed } from '../report/format-figures.ts'
import {
  amountText,
  metric,
  type Metric,
  percentiles,
  publishedFigure,
  ratio,
  type Rounds,
  type SampleRow,
  time,
  withName,
} from '../report/metrics.ts'
import { aim, type SectionDeclaration } from '../report/section-declaration.ts'
import { barChart, table } from '../report/tables-and-charts.ts'
import { busyReason, fsyncSummary } from '../report/miss-reasons.ts'
import type { Table } from '../report/section.ts'
import { laneNames, type LaneName, lanes } from '../support/lanes.ts'
import type { ProxyBytes } from '../support/counting-proxy.ts'
import { summarise, type Summary } from '../support/stats.ts'
import type { KeyTimes } from '../support/typed-windows.ts'
import type { TypedKeys } from '../support/type-text.ts'

/** `direct` has no proxy; the others say how many ms a proxy delays each byte one way. */
export type Network = 'direct' | '0' | '25' | '100'

export type KeystrokesParams = {
  readonly network: Network
  /** Includes the one that types. */
  readonly windows: number
}

export interface KeystrokesData extends TypedKeys {
  readonly frames: KeystrokeFrames
  readonly serverCpuMsAKey: number
  readonly residentKiB: number
  /** The bytes of one window each; undefined without a proxy. */
  readonly bytesAKey?: { readonly writer: ProxyBytes; readonly reader: ProxyBytes }
  /** In milliseconds, at the same interval as the keys. */
  readonly pacedFsyncs: readonly number[]
}

type Keystrokes = Rounds<KeystrokesParams, KeystrokesData>

const titles: Readonly<Record<LaneName, string>> = {
  websocket: 'WebSocket',
  'websocket-h2': 'WebSocket within HTTP/2',
  sse: 'SSE over HTTP/2',
  'sse-posts': 'SSE over HTTP/2, POSTs up',
  stream: 'Stream over HTTP/2',
  'stream-posts': 'Stream over HTTP/2, POSTs up',
  'sse-http1': 'SSE over HTTP/1.1',
  'long-poll': 'Long polling',
  poll: 'Polling every 250 ms',
}

/** One window types and four show it, as in the published comparison. */
const PUBLISHED_WINDOWS = 5

const spans = {
  'key → sent': ({ sent }) => sent,
  'sent → applied': ({ sent, applied }) => applied - sent,
  'sent → rendered': ({ sent, rendered }) => rendered - sent,
  'key → applied': ({ applied }) => applied,
  'key → painted': ({ painted }) => painted,
  'edit → saved': ({ edited, answered }) => answered - edited,
  'sent → saved': ({ sent, answered }) => answered - sent,
} satisfies Record<string, (times: KeyTimes) => number>

type SpanName = keyof typeof spans

/** Takes the windows of a round together. */
const samplesOf =
  (span: SpanName) =>
  (data: KeystrokesData): readonly number[] =>
    data.readers.flatMap((keys) => keys.map(spans[span]))

const spanRows: readonly SampleRow<KeystrokesData>[] = (Object.keys(spans) as SpanName[]).map((name) => ({
  name,
  samplesOf: samplesOf(name),
}))

const spanTime = (span: SpanName, which: keyof Summary, name: string = which) =>
  time(which, samplesOf(span), { name, digits: 2 }) as Metric<KeystrokesParams, KeystrokesData>

const sentToApplied = spanTime('sent → applied', 'p50')
const keyToApplied = spanTime('key → applied', 'p50')
const meanApplied = spanTime('key → applied', 'mean')

const networkText = (network: Network): string =>
  network === 'direct' ? 'on this machine' : `through a proxy, ${network} ms each way`

export function reportLanes(all: Keystrokes): SectionDeclaration {
  const fiveWindows = all.where({ windows: PUBLISHED_WINDOWS })
  const networks = (['direct', '0', '25', '100'] as const).filter(
    (network) => !all.where({ network }).isEmpty,
  )
  const ours = (network: Network) => fiveWindows.where({ network, subject: 'diptych' })
  const relay = fiveWindows.where({ network: 'direct', subject: 'relay' })
  const delayed = delayedAim(all, ours('25'), relay)
  return {
    method:
      'Real key events at an uneven pace go into the editor of one window. Each other window has its own browser, so that no shortcut between windows of one browser hides the transport. A key is followed by its edit’s id. Times count from the key event’s own time, and the times of windows are timeOrigin + now() of one Chromium. Applied: the other window’s document has the edit. Painted: the first task after the frame that shows it. Each round takes its windows together, and figures are medians of the rounds.',
    tables: [
      ...networks.map((network) =>
        lanesTable(network, ours(network), fiveWindows.where({ network, subject: 'relay' })),
      ),
      crowdTable(all),
      bytesTable(ours('0')),
      ...relay.rows('lane', laneNames).map((bare) => stagesTable(ours('direct'), bare)),
    ],
    charts: (['direct', '25'] as const).map((network) => {
      const applied = withName('applied, mean', meanApplied)
      const painted = spanTime('key → painted', 'mean', 'painted, mean')
      return barChart(
        `Key → other windows, ${networkText(network)}`,
        rowsOf(ours(network)),
        network === 'direct'
          ? [applied, painted, withName(sources.keystrokes.short, publishedMean)]
          : [applied, painted],
      )
    }),
    aims: [
      delayed,
      ...relay.rows('lane', laneNames).flatMap((bare) => relayAims(all, ours('direct'), bare)),
      ...webSocketAims(ours('direct'), relay),
    ],
    headlines: [
      ...publishedHeadlines(ours('direct')),
      {
        what: 'Key → applied by SSE over HTTP/2, 25 ms away each way, p50',
        ours: ours('25').where({ lane: 'sse' }).medianText(keyToApplied, '', 1),
        beside: ours('25').where({ lane: 'websocket' }).medianText(keyToApplied, 'Diptych by WebSocket', 1),
        aims: [delayed],
        of: { network: '25' },
      },
    ],
    notes: [
      framesNote(all.data[0]!.frames),
      `The windows’ clocks differed by at most ${all.max(({ clockDifference }) => clockDifference).toFixed(3)} ms. Keys were pressed at most ${all.max(({ latest }) => latest).toFixed(1)} ms late.`,
      'Servers live through all trials. They are warm, and their memory includes what earlier trials left.',
      'Aims are calculated with the disk’s own fdatasync of 4 KiB, at the same interval as the keys.',
    ],
  }
}

const rowsOf = (rounds: Keystrokes, titleOf = (lane: LaneName) => titles[lane]): Keystrokes[] =>
  rounds.rows('lane', laneNames, titleOf)

// Tables

const publishedMean = publishedFigure<Keystrokes>('published mean', 'ms', ({ outcomes: [outcome] }) => {
  const { subject, lane } = outcome!.trial
  const means: Partial<Record<string, number>> = publishedKeystrokes.means
  return subject === 'diptych' ? means[lane] : null
})

const laneColumns: readonly Metric<KeystrokesParams, KeystrokesData>[] = [
  ...(['applied', 'painted'] as const).flatMap((what) =>
    (['mean', 'p50', 'p95', 'p99'] as const).map((which) =>
      spanTime(`key → ${what}`, which, `${what} ${which}`),
    ),
  ),
  metric('CPU a key', 'ms', ({ serverCpuMsAKey }) => serverCpuMsAKey, { digits: 2 }),
  metric('server RSS', 'MiB', ({ residentKiB }) => residentKiB / 1024, { digits: 0 }),
]

const lanesTable = (network: Network, ours: Keystrokes, relay: Keystrokes): Table | undefined =>
  table(
    `Key → four other windows, ${networkText(network)}`,
    [...rowsOf(ours), ...rowsOf(relay, (lane) => `${titles[lane]}, bare relay`)],
    network === 'direct' ? [...laneColumns, publishedMean] : laneColumns,
    {
      head: 'way',
      note:
        network === 'direct'
          ? `Published: ${sources.keystrokes.short}. ${sources.keystrokes.setup}`
          : undefined,
    },
  )

function crowdTable(all: Keystrokes): Table | undefined {
  const windows = all.max((_data, { params }) => params.windows)
  return windows <= PUBLISHED_WINDOWS
    ? undefined
    : table(
        `Key → ${windows - 1} windows of one other browser`,
        rowsOf(all.where({ windows, network: 'direct', subject: 'diptych' })),
        laneColumns,
        {
          head: 'way',
          note: 'Over HTTP/1.1 a browser opens six connections to an address, so its windows share one link, which one of them holds (T7).',
        },
      )
}

const bytesTable = (ours: Keystrokes): Table | undefined =>
  table(
    'Bytes a key at the proxies, TLS and HTTP included',
    rowsOf(ours),
    (['writer', 'reader'] as const).flatMap((window) =>
      (['up', 'down'] as const).map((way) =>
        metric<KeystrokesData, KeystrokesParams>(
          `${window} ${way}`,
          'B',
          ({ bytesAKey }) => bytesAKey?.[window][way],
          { digits: 0 },
        ),
      ),
    ),
    { head: 'way', note: 'They include carets, acknowledgements and heartbeats of that time.' },
  )

/** Shows the stages of a key’s way beside what the transport alone takes. */
function stagesTable(ours: Keystrokes, bare: Keystrokes): Table | undefined {
  const lane = bare.name as LaneName
  const own = ours.where({ lane })
  const columns = (rounds: Keystrokes, whose: string) =>
    percentiles(rounds, ['p50', 'p99'], { digits: 2 }).map((figure) => withName(whose + figure.name, figure))
  return table(
    `Stations, ${titles[lane]}: ${lanes[lane].words}`,
    spanRows,
    [
      ...columns(own, ''),
      ...columns(bare, 'relay '),
      {
        name: 'p50 ÷ relay',
        digits: 2,
        of: ({ name }) => ratio(spanTime(name as SpanName, 'p50'), own, bare),
      },
    ],
    {
      head: 'span',
      note: 'sent: right before the frame is given to the transport. saved: whenSaved() resolved, so the edit is on disk (relay: its answer came back).',
    },
  )
}

// Aims

/** Limits of a lane's p50, as a multiple of WebSocket's in the same run. */
const WEBSOCKET_LIMITS: Partial<Record<LaneName, number>> = {
  sse: 2,
  stream: 2,
  'sse-posts': 3.5,
  'stream-posts': 3.5,
}
const DELAYED_LIMIT = 1.05

function delayedAim(all: Keystrokes, delayed: Keystrokes, relay: Keystrokes) {
  const [sse, webSocket] = delayed
    .split('lane', ['sse', 'websocket'])
    .map((one) => one.median(keyToApplied)) as [number, number]
  return {
    name: `${titles.sse} ÷ WebSocket, 25 ms each way, key → applied p50`,
    measured: sse / webSocket,
    limit: DELAYED_LIMIT,
    unit: '×',
    reason: [
      `It takes ${formatFixed(sse - webSocket, 2)} ms longer than WebSocket’s ${formatFixed(webSocket, 2)}.`,
      relayReason(relay, 'sse'),
      busyReason(all),
    ],
  }
}

/** Shows how much of the difference is the browser's: the relay sends the same frames in the same browser without Diptych. */
function relayReason(relay: Keystrokes, lane: LaneName): string {
  const [own, webSocket] = [lane, 'websocket'].map((one) => relay.where({ lane: one }).median(sentToApplied))
  return Number.isFinite(own! / webSocket!)
    ? `Without a delay, the bare relay’s frames take ${formatFixed(own!, 2)} ms on this lane and ${formatFixed(webSocket!, 2)} ms by WebSocket in the same browser. That difference is the browser’s and HTTP’s own.`
    : ''
}

function relayAims(all: Keystrokes, ours: Keystrokes, bare: Keystrokes) {
  const lane = bare.name as LaneName
  const [frame, trip] = [bare.median(sentToApplied), bare.median(spanTime('sent → saved', 'p50'))]
  const fsyncs = all.figures(({ pacedFsyncs }) => pacedFsyncs)
  const fsync = summarise(fsyncs).p50
  const relayAim = (name: string, figure: typeof sentToApplied, atMost: number, sum: string) =>
    aim(`${titles[lane]}: ${name}`, figure, {
      atMost,
      of: ours.where({ lane }),
      sum,
      reasons: [
        'Besides the way of the frames, the time includes two Yjs documents, the check of the edit, and its way to the store’s thread, the disk and back.',
        `The disk alone, at the same interval as the keys: ${fsyncSummary(fsyncs)}.`,
      ],
    })
  return [
    relayAim(
      'sent → applied, p50',
      sentToApplied,
      1.3 * frame + 2 * fsync,
      `1.3 × the relay’s ${frame.toFixed(2)} + 2 × fsync ${fsync.toFixed(2)}`,
    ),
    relayAim(
      'edit → saved, p50',
      spanTime('edit → saved', 'p50'),
      trip + 2 * fsync + 1,
      `round trip ${trip.toFixed(2)} + 2 × fsync ${fsync.toFixed(2)} + 1`,
    ),
    relayAim('edit → saved, p99', spanTime('edit → saved', 'p99'), 20, 'fixed'),
  ]
}

const webSocketAims = (ours: Keystrokes, relay: Keystrokes) =>
  laneNames.flatMap((lane) => {
    const limit = WEBSOCKET_LIMITS[lane]
    return limit === undefined
      ? []
      : aim(`${titles[lane]} ÷ WebSocket, sent → applied p50`, sentToApplied, {
          atMost: limit,
          of: ours.where({ lane }),
          beside: ours.where({ lane: 'websocket' }),
          reasons: [relayReason(relay, lane)],
        })
  })

// Headlines

function publishedHeadlines(ours: Keystrokes) {
  const onLane = (lane: LaneName) => ours.where({ lane })
  const { means, ratios } = publishedKeystrokes
  const ratioHeadline = (what: string, above: LaneName, below: LaneName, theirs: number) => ({
    what,
    ours: amountText(ratio(meanApplied, onLane(above), onLane(below)), '', 2),
    published: `${theirs} (${sources.keystrokes.short})`,
    of: { network: 'direct', windows: PUBLISHED_WINDOWS },
  })
  return [
    {
      what: 'Key → applied in four other windows by WebSocket, mean',
      ours: onLane('websocket').medianText(meanApplied, '', 1),
      published: `${means.websocket} ms (${sources.keystrokes.short})`,
      of: { lane: 'websocket', network: 'direct', windows: PUBLISHED_WINDOWS },
    },
    ratioHeadline(
      'The same by SSE over HTTP/2 ÷ WebSocket',
      'sse',
      'websocket',
      ratios['sse h2 / websocket'],
    ),
    ratioHeadline('The same by SSE, HTTP/1.1 ÷ HTTP/2', 'sse-http1', 'sse', ratios['sse http/1.1 / sse h2']),
  ]
}

function framesNote({ keys, answer }: KeystrokeFrames): string {
  const bytes = keys.map((frames) => frames.reduce((sum, frame) => sum + base64Bytes(frame), 0))
  const frames = summarise(keys.map(({ length }) => length)).mean
  return `A recorded keystroke is ${frames.toFixed(1)} frames of ${summarise(bytes).p50} B up, and its answer ${base64Bytes(answer)} B. The relay carries these.`
}
