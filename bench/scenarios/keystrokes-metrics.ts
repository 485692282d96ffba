/** What `keystrokes` measures by each lane, aims at and shows, beside the bare relay and what was published. Pure. */
import { keystrokes as published, sources } from '../published.ts'
import { base64Bytes, type KeystrokeFrames } from '../relay/keystroke-frames.ts'
import { plain } from '../report/figures.ts'
import {
  bars,
  called,
  metric,
  type Metric,
  percentiles,
  publishedFigure,
  ratio,
  type Rounds,
  type SampleRow,
  type SectionDeclaration,
  table,
  time,
} from '../report/metrics.ts'
import { becauseBusy, diskWords } from '../report/reasons.ts'
import type { Table } from '../report/section.ts'
import { laneNames, type LaneName, lanes } from '../support/lanes.ts'
import type { ProxyBytes } from '../support/counting-proxy.ts'
import { summarise, type Summary } from '../support/stats.ts'
import type { KeyTimes } from '../support/typed-windows.ts'
import type { TypedKeys } from '../support/type-text.ts'

/** Without a proxy, or ms one way through one. */
export type Network = 'direct' | '0' | '25' | '100'

export type KeystrokesParams = {
  readonly network: Network
  /** The one that types included. */
  readonly windows: number
}

export interface KeystrokesData extends TypedKeys {
  readonly frames: KeystrokeFrames
  readonly serverCpuMsAKey: number
  readonly residentKiB: number
  /** Of one window each; where there is a proxy. */
  readonly bytesAKey?: { readonly writer: ProxyBytes; readonly reader: ProxyBytes }
  /** ms each, as far apart as the keys are. */
  readonly pacedFsyncs: readonly number[]
}

type Keystrokes = Rounds<KeystrokesParams, KeystrokesData>

/** As people call them. */
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

/** The one that types and four that show it, as published. */
const FIVE = 5

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

/** The windows of a round taken together. */
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

const networkWords = (network: Network): string =>
  network === 'direct' ? 'on this machine' : `through a proxy, ${network} ms each way`

export function report(all: Keystrokes): SectionDeclaration {
  const five = all.where({ windows: FIVE })
  const networks = (['direct', '0', '25', '100'] as const).filter(
    (network) => !all.where({ network }).isEmpty,
  )
  const ours = (network: Network) => five.where({ network, subject: 'diptych' })
  const relay = five.where({ network: 'direct', subject: 'relay' })
  const away = awayAim(all, ours('25'), relay)
  return {
    method:
      'Real key events at an uneven pace go into the editor of one window; the other windows have a browser of their own each, so that no shortcut between windows of one browser hides the transport. A key is followed by its edit’s id. Times count from the key event’s own time; windows’ times are timeOrigin + now() of one Chromium. Applied: the other window’s document has it. Painted: the first task after the frame that shows it. Figures are medians over the rounds of each round’s own figure, the windows taken together.',
    tables: [
      ...networks.map((network) =>
        lanesTable(network, ours(network), five.where({ network, subject: 'relay' })),
      ),
      crowdTable(all),
      bytesTable(ours('0')),
      ...relay.rows('lane', laneNames).map((bare) => stationsTable(ours('direct'), bare)),
    ],
    charts: (['direct', '25'] as const).map((network) => {
      const applied = called('applied, mean', meanApplied)
      const painted = spanTime('key → painted', 'mean', 'painted, mean')
      return bars(
        `Key → other windows, ${networkWords(network)}`,
        rowsOf(ours(network)),
        network === 'direct'
          ? [applied, painted, called(sources.keystrokes.short, publishedMean)]
          : [applied, painted],
      )
    }),
    aims: [
      away,
      ...relay.rows('lane', laneNames).flatMap((bare) => besideRelay(all, ours('direct'), bare)),
      ...besideWebSocket(ours('direct'), relay),
    ],
    headlines: [
      ...publishedHeadlines(ours('direct')),
      away && {
        what: 'Key → applied by SSE over HTTP/2, 25 ms away each way, p50',
        ours: ours('25').where({ lane: 'sse' }).words(keyToApplied, '', 1),
        beside: ours('25').where({ lane: 'websocket' }).words(keyToApplied, 'Diptych by WebSocket', 1),
        aims: [away],
        of: { network: '25' },
      },
    ],
    notes: [
      framesLine(all.data[0]!.frames),
      `The windows’ clocks differed by at most ${all.most(({ clockDifference }) => clockDifference).toFixed(3)} ms; keys went down at most ${all.most(({ latest }) => latest).toFixed(1)} ms late.`,
      'Servers are warm: they live through all trials, so that the memory of one is what all trials before it left, too.',
      'The aims take the disk’s own fdatasync of 4 KiB, as far apart as the keys.',
    ],
  }
}

const rowsOf = (rounds: Keystrokes, titleOf = (lane: LaneName) => titles[lane]): Keystrokes[] =>
  rounds.rows('lane', laneNames, titleOf)

// Tables

const publishedMeans: Partial<Record<string, number>> = {
  websocket: published.websocket,
  sse: published['sse, h2'],
  'sse-http1': published['sse, http/1.1'],
}

const publishedMean = publishedFigure<Keystrokes>('published mean', 'ms', ({ outcomes: [outcome] }) => {
  const { subject, lane } = outcome!.trial
  return (subject === 'diptych' && publishedMeans[lane]) || null
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
    `Key → four other windows, ${networkWords(network)}`,
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
  const windows = all.most((_data, { params }) => params.windows)
  return windows <= FIVE
    ? undefined
    : table(
        `Key → ${windows - 1} windows of one other browser`,
        rowsOf(all.where({ windows, network: 'direct', subject: 'diptych' })),
        laneColumns,
        {
          head: 'way',
          note: 'Over HTTP/1.1 a browser opens six connections to an address: its windows there share one link, which one of them holds (T7).',
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
    { head: 'way', note: 'Carets, confirmations and signs of life of that time are among them.' },
  )

/** Where the time of a key goes, beside what the transport alone takes. */
function stationsTable(ours: Keystrokes, bare: Keystrokes): Table | undefined {
  const lane = bare.name as LaneName
  const own = ours.where({ lane })
  const columns = (rounds: Keystrokes, whose: string) =>
    percentiles(rounds, ['p50', 'p99'], { digits: 2 }).map((figure) => called(whose + figure.name, figure))
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
      note: 'sent: right before the frame is handed to the transport. saved: whenSaved() resolved, so it is on disk (relay: its answer came back).',
    },
  )
}

// Aims

/** Of a lane's p50 to WebSocket's in the same run. */
const MOST: Partial<Record<LaneName, number>> = { sse: 2, stream: 2, 'sse-posts': 3.5, 'stream-posts': 3.5 }
const MOST_AWAY = 1.05

function awayAim(all: Keystrokes, away: Keystrokes, relay: Keystrokes) {
  const [sse, webSocket] = away
    .split('lane', ['sse', 'websocket'])
    .map((one) => one.median(keyToApplied)) as [number, number]
  return {
    name: `${titles.sse} ÷ WebSocket, 25 ms each way, key → applied p50`,
    measured: sse / webSocket,
    limit: MOST_AWAY,
    unit: '×',
    reason: [
      `It is ${plain(sse - webSocket, 2)} ms beyond WebSocket’s ${plain(webSocket, 2)}.`,
      bareRatio(relay, 'sse'),
      becauseBusy(all),
    ],
  }
}

/** What of the difference is not ours: the same frames in the same browser without the product. */
function bareRatio(relay: Keystrokes, lane: LaneName): string {
  const [own, webSocket] = [lane, 'websocket'].map((one) => relay.where({ lane: one }).median(sentToApplied))
  return Number.isFinite(own! / webSocket!)
    ? `Without a delay the bare relay’s frames take ${plain(own!, 2)} ms that way and ${plain(webSocket!, 2)} ms by WebSocket in the same browser: so much is the browser’s and HTTP’s own.`
    : ''
}

function besideRelay(all: Keystrokes, ours: Keystrokes, bare: Keystrokes) {
  const lane = bare.name as LaneName
  const own = ours.where({ lane })
  const [frame, trip] = [bare.median(sentToApplied), bare.median(spanTime('sent → saved', 'p50'))]
  const fsyncs = all.figures(({ pacedFsyncs }) => pacedFsyncs)
  const fsync = summarise(fsyncs).p50
  const aims = [
    {
      name: 'sent → applied, p50',
      metric: sentToApplied,
      limit: 1.3 * frame + 2 * fsync,
      sum: `1.3 × the relay’s ${frame.toFixed(2)} + 2 × fsync ${fsync.toFixed(2)}`,
    },
    {
      name: 'edit → saved, p50',
      metric: spanTime('edit → saved', 'p50'),
      limit: trip + 2 * fsync + 1,
      sum: `round trip ${trip.toFixed(2)} + 2 × fsync ${fsync.toFixed(2)} + 1`,
    },
    { name: 'edit → saved, p99', metric: spanTime('edit → saved', 'p99'), limit: 20, sum: 'fixed' },
  ]
  return aims.map(({ name, metric: figure, limit, sum }) => ({
    name: `${titles[lane]}: ${name}`,
    measured: own.median(figure),
    limit,
    unit: 'ms',
    sum,
    reason: [
      'Beside the frames’ way there are two Yjs documents, the check of the edit, and its way to the store’s thread, the disk and back.',
      `The disk by itself, as far apart as the keys: ${diskWords(fsyncs)}.`,
      becauseBusy(own),
    ],
  }))
}

const besideWebSocket = (ours: Keystrokes, relay: Keystrokes) =>
  laneNames.flatMap((lane) => {
    const limit = MOST[lane]
    return limit === undefined
      ? []
      : {
          name: `${titles[lane]} ÷ WebSocket, sent → applied p50`,
          measured: ratio(sentToApplied, ours.where({ lane }), ours.where({ lane: 'websocket' })),
          limit,
          unit: '×',
          reason: [bareRatio(relay, lane), becauseBusy(ours.where({ lane }))],
        }
  })

// Headlines

function publishedHeadlines(ours: Keystrokes) {
  const by = (lane: LaneName) => ours.where({ lane })
  const divided = (what: string, above: LaneName, below: LaneName, theirs: number) => {
    const times = ratio(meanApplied, by(above), by(below))
    return {
      what,
      ours: Number.isNaN(times) ? undefined : times.toFixed(2),
      published: `${theirs} (${sources.keystrokes.short})`,
      of: { network: 'direct', windows: FIVE },
    }
  }
  return [
    {
      what: 'Key → applied in four other windows by WebSocket, mean',
      ours: by('websocket').words(meanApplied, '', 1),
      published: `${published.websocket} ms (${sources.keystrokes.short})`,
      of: { lane: 'websocket', network: 'direct', windows: FIVE },
    },
    divided(
      'The same by SSE over HTTP/2 ÷ WebSocket',
      'sse',
      'websocket',
      published.ratios['sse h2 / websocket'],
    ),
    divided(
      'The same by SSE, HTTP/1.1 ÷ HTTP/2',
      'sse-http1',
      'sse',
      published.ratios['sse http/1.1 / sse h2'],
    ),
  ]
}

function framesLine({ keys, answer }: KeystrokeFrames): string {
  const bytes = keys.map((frames) => frames.reduce((sum, frame) => sum + base64Bytes(frame), 0))
  const frames = summarise(keys.map(({ length }) => length)).mean
  return `A keystroke as recorded: ${frames.toFixed(1)} frame(s) of ${summarise(bytes).p50} B up, its answer ${base64Bytes(answer)} B; the relay carries these.`
}
