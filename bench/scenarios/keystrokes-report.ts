/** What the keystrokes say: tables a network, the station table beside the relay's, the aims. Aims are reported, never asserted. */
import { keystrokes as published, sources } from '../published.ts'
import type { Frames } from '../relay/frames.ts'
import { bytesOf } from '../relay/frames.ts'
import { type Aim, aimAtMost, type BarChart, type Cell, type Section, type Table } from '../report/section.ts'
import { type LaneName, laneNames, lanes } from '../support/lanes.ts'
import type { Outcome } from '../support/scenario.ts'
import { overRounds, type Spread, summarise, type Summary } from '../support/stats.ts'
import type { Stations } from '../support/subject.ts'

/** Without a proxy, or ms one way through one. */
export type Network = 'direct' | '0' | '25' | '100'

export interface Params extends Record<string, string | number> {
  readonly network: Network
  /** The one that types included. */
  readonly windows: number
}

/** Of one key in one reader, in ms after the key. */
export type After = Omit<Stations, 'key'>

interface Bytes {
  readonly up: number
  readonly down: number
}

export interface Data {
  readonly readers: readonly (readonly After[])[]
  readonly clockDifference: number
  readonly latest: number
  readonly frames: Frames
  readonly serverCpuMsAKey: number
  readonly residentKiB: number
  /** Of one window each; where there is a proxy. */
  readonly bytesAKey?: { readonly writer: Bytes; readonly reader: Bytes }
  /** ms each, as far apart as the keys are. */
  readonly pacedFsyncs: readonly number[]
}

/** To a microsecond: the clock's own grain is 100 µs. */
export function rounded({ key, ...rest }: Stations): After {
  const after = (at: number): number => Math.round((at - key) * 1000) / 1000
  const { edited, sent, applied, rendered, painted, answered } = rest
  return {
    edited: after(edited),
    sent: after(sent),
    applied: after(applied),
    rendered: after(rendered),
    painted: after(painted),
    answered: after(answered),
  }
}

type Outcomes = readonly Outcome<Params, Data>[]

const FIVE = 5

const spans = {
  'key → sent': ({ sent }) => sent,
  'sent → applied': ({ sent, applied }) => applied - sent,
  'sent → rendered': ({ sent, rendered }) => rendered - sent,
  'key → applied': ({ applied }) => applied,
  'key → painted': ({ painted }) => painted,
  'edit → saved': ({ edited, answered }) => answered - edited,
  'sent → saved': ({ sent, answered }) => answered - sent,
} satisfies Record<string, (of: After) => number>

type SpanName = keyof typeof spans
const spanNames = Object.keys(spans) as SpanName[]

export function reportOf(outcomes: Outcomes): Section {
  const networks = (['direct', '0', '25', '100'] as const).filter((network) =>
    outcomes.some(({ trial: { params } }) => params.network === network),
  )
  const most = (figure: (data: Data) => number) => Math.max(...outcomes.map(({ data }) => figure(data)))
  return {
    method:
      'Real key events at an uneven pace go into the editor of one window; the other windows have a browser of their own each, so that no shortcut between windows of one browser hides the transport. A key is followed by its edit’s id. Times count from the key event’s own time; windows’ times are timeOrigin + now() of one Chromium. Applied: the other window’s document has it. Painted: the first task after the frame that shows it. Figures are medians over the rounds of each round’s own figure, the windows taken together.',
    tables: [
      ...networks.map((network) => waysTable(outcomes, network)),
      ...crowdTable(outcomes),
      ...bytesTable(outcomes),
      ...stationTables(outcomes),
    ],
    charts: chartsOf(outcomes),
    aims: aimsOf(outcomes),
    headlines: headlinesOf(outcomes),
    notes: [
      framesLine(outcomes[0]!.data.frames),
      `The windows’ clocks differed by at most ${most(({ clockDifference }) => clockDifference).toFixed(3)} ms; keys went down at most ${most(({ latest }) => latest).toFixed(1)} ms late.`,
      'Servers are warm: they live through all trials, so that the memory of one is what all trials before it left, too.',
      'The aims take the disk’s own fdatasync of 4 KiB, as far apart as the keys.',
    ],
  }
}

interface Which {
  readonly subject?: 'diptych' | 'relay'
  readonly lane: LaneName
  readonly network?: Network
  readonly windows?: number
}

const of = (
  outcomes: Outcomes,
  { subject = 'diptych', lane, network = 'direct', windows = FIVE }: Which,
): Outcomes =>
  outcomes.filter(
    ({ trial }) =>
      trial.subject === subject &&
      trial.lane === lane &&
      trial.params.network === network &&
      trial.params.windows === windows,
  )

const lanesIn = (outcomes: Outcomes, which: Omit<Which, 'lane'>): readonly LaneName[] =>
  laneNames.filter((lane) => of(outcomes, { ...which, lane }).length > 0)

/** Each figure is a round's own; over the rounds it has a median and two ends. */
function figure(own: Outcomes, span: SpanName, which: keyof Summary): Spread {
  return overRounds(
    own.map(({ data }) => summarise(data.readers.flatMap((stations) => stations.map(spans[span])))[which]),
  )
}

const p50 = (outcomes: Outcomes, which: Which, span: SpanName): number =>
  figure(of(outcomes, which), span, 'p50').median

// The tables

const networkWords = (network: Network): string =>
  network === 'direct' ? 'on this machine' : `through a proxy, ${network} ms each way`

const ms = { unit: 'ms', digits: 2 } as const

const waysColumns = [
  { name: 'way' },
  ...['mean', 'p50', 'p95', 'p99'].map((name) => ({ name: `applied ${name}`, ...ms })),
  ...['mean', 'p50', 'p95', 'p99'].map((name) => ({ name: `painted ${name}`, ...ms })),
  { name: 'CPU a key', ...ms },
  { name: 'server RSS', unit: 'MiB', digits: 0 },
]

const publishedMeans: Partial<Record<LaneName, number>> = {
  websocket: published.websocket,
  sse: published['sse, h2'],
  'sse-http1': published['sse, http/1.1'],
}

function waysTable(outcomes: Outcomes, network: Network): Table {
  const direct = network === 'direct'
  const row = (subject: 'diptych' | 'relay') => (lane: LaneName) => {
    const own = of(outcomes, { subject, lane, network })
    const beside = subject === 'diptych' ? (publishedMeans[lane] ?? null) : null
    return [...waysRow(own, subject === 'relay' ? `${lane}, bare relay` : lane), ...(direct ? [beside] : [])]
  }
  return {
    title: `Key → four other windows, ${networkWords(network)}`,
    columns: direct
      ? [...waysColumns, { name: 'published mean', unit: 'ms', digits: 1, published: true }]
      : waysColumns,
    rows: (['diptych', 'relay'] as const).flatMap((subject) =>
      lanesIn(outcomes, { subject, network }).map(row(subject)),
    ),
    ...(direct && { note: `Published: ${sources.keystrokes.short}. ${sources.keystrokes.setup}` }),
  }
}

const waysRow = (own: Outcomes, name: string): Cell[] => [
  name,
  ...(['key → applied', 'key → painted'] as const).flatMap((span) =>
    (['mean', 'p50', 'p95', 'p99'] as const).map((which) => figure(own, span, which)),
  ),
  overRounds(own.map(({ data }) => data.serverCpuMsAKey)),
  overRounds(own.map(({ data }) => data.residentKiB / 1024)),
]

function crowdTable(outcomes: Outcomes): Table[] {
  const windows = Math.max(...outcomes.map(({ trial }) => trial.params.windows))
  if (windows <= FIVE) return []
  return [
    {
      title: `Key → ${windows - 1} windows of one other browser`,
      columns: waysColumns,
      rows: lanesIn(outcomes, { windows }).map((lane) => waysRow(of(outcomes, { lane, windows }), lane)),
      note: 'Over HTTP/1.1 a browser opens six connections to an address: its windows there share one link, which one of them holds (T7).',
    },
  ]
}

function bytesTable(outcomes: Outcomes): Table[] {
  const network = '0'
  const known = lanesIn(outcomes, { network })
  if (known.length === 0) return []
  const cells = (lane: LaneName) => {
    const all = of(outcomes, { lane, network }).flatMap(({ data }) => data.bytesAKey ?? [])
    return [
      all.map(({ writer }) => writer.up),
      all.map(({ writer }) => writer.down),
      all.map(({ reader }) => reader.up),
      all.map(({ reader }) => reader.down),
    ].map(overRounds)
  }
  return [
    {
      title: 'Bytes a key at the proxies, TLS and HTTP included',
      columns: [
        { name: 'way' },
        ...['writer up', 'writer down', 'reader up', 'reader down'].map((name) => ({
          name,
          unit: 'B',
          digits: 0,
        })),
      ],
      rows: known.map((lane) => [lane, ...cells(lane)]),
      note: 'Carets, confirmations and signs of life of that time are among them.',
    },
  ]
}

/** Where the time of a key goes, beside what the transport alone takes. */
function stationTables(outcomes: Outcomes): Table[] {
  return lanesIn(outcomes, { subject: 'relay' }).map((lane) => {
    const own = of(outcomes, { lane })
    const relay = of(outcomes, { subject: 'relay', lane })
    return {
      title: `Stations, ${lane}: ${lanes[lane].words}`,
      columns: [
        { name: 'span' },
        { name: 'p50', ...ms },
        { name: 'p99', ...ms },
        { name: 'relay p50', ...ms },
        { name: 'relay p99', ...ms },
        { name: 'p50 ÷ relay', digits: 2 },
      ],
      rows: spanNames.map((span) => [
        span,
        figure(own, span, 'p50'),
        figure(own, span, 'p99'),
        figure(relay, span, 'p50'),
        figure(relay, span, 'p99'),
        figure(own, span, 'p50').median / figure(relay, span, 'p50').median,
      ]),
      note: 'sent: right before the frame is handed to the transport. saved: whenSaved() resolved, so it is on disk (relay: its answer came back).',
    }
  })
}

function chartsOf(outcomes: Outcomes): BarChart[] {
  const chart = (network: Network): BarChart => {
    const groups = lanesIn(outcomes, { network })
    const values = (span: SpanName, which: keyof Summary) =>
      groups.map((lane) => figure(of(outcomes, { lane, network }), span, which))
    const beside = groups.map((lane) => publishedMeans[lane] ?? null)
    return {
      kind: 'bars',
      title: `Key → other windows, ${networkWords(network)}`,
      unit: 'ms',
      groups,
      series: [
        { name: 'applied, mean', values: values('key → applied', 'mean') },
        { name: 'painted, mean', values: values('key → painted', 'mean') },
        ...(network === 'direct'
          ? [{ name: sources.keystrokes.short, values: beside, published: true }]
          : []),
      ],
    }
  }
  return (['direct', '25'] as const).filter((network) => lanesIn(outcomes, { network }).length > 0).map(chart)
}

function framesLine({ keys, answer }: Frames): string {
  const bytes = keys.map((frames) => frames.reduce((sum, frame) => sum + bytesOf(frame), 0))
  const frames = summarise(keys.map(({ length }) => length)).mean
  return `A keystroke as recorded: ${frames.toFixed(1)} frame(s) of ${summarise(bytes).p50} B up, its answer ${bytesOf(answer)} B; the relay carries these.`
}

// The aims

/** Of a lane's p50 to WebSocket's in the same run. */
const MOST: Partial<Record<LaneName, number>> = { sse: 2, stream: 2, 'sse-posts': 3.5, 'stream-posts': 3.5 }
const MOST_AWAY = 1.05

function aimsOf(outcomes: Outcomes): Aim[] {
  const fsync = summarise(outcomes.flatMap(({ data }) => data.pacedFsyncs)).p50
  return [
    ...awayAims(outcomes),
    ...lanesIn(outcomes, { subject: 'relay' }).flatMap((lane) => besideRelay(outcomes, lane, fsync)),
    ...besideWebSocket(outcomes),
  ]
}

function awayAims(outcomes: Outcomes): Aim[] {
  const at = (lane: LaneName) => p50(outcomes, { lane, network: '25' }, 'key → applied')
  if (!Number.isFinite(at('sse') / at('websocket'))) return []
  return [
    aimAtMost({
      name: 'sse over h2 ÷ websocket at 25 ms each way, key → applied p50',
      measured: at('sse') / at('websocket'),
      limit: MOST_AWAY,
      unit: '×',
    }),
  ]
}

function besideRelay(outcomes: Outcomes, lane: LaneName, fsync: number): Aim[] {
  const relay = (span: SpanName) => p50(outcomes, { subject: 'relay', lane }, span)
  const [bare, trip] = [relay('sent → applied'), relay('sent → saved')]
  const saved = (which: 'p50' | 'p99') => figure(of(outcomes, { lane }), 'edit → saved', which).median
  const aim = (name: string, measured: number, limit: number, sum: string): Aim =>
    aimAtMost({ name: `${lane}: ${name}`, measured, limit, unit: 'ms', sum })
  return [
    aim(
      'sent → applied, p50',
      p50(outcomes, { lane }, 'sent → applied'),
      1.3 * bare + 2 * fsync,
      `1.3 × the relay’s ${bare.toFixed(2)} + 2 × fsync ${fsync.toFixed(2)}`,
    ),
    aim(
      'whenSaved, p50',
      saved('p50'),
      trip + 2 * fsync + 1,
      `round trip ${trip.toFixed(2)} + 2 × fsync ${fsync.toFixed(2)} + 1`,
    ),
    aim('whenSaved, p99', saved('p99'), 20, 'fixed'),
  ]
}

function besideWebSocket(outcomes: Outcomes): Aim[] {
  const webSocket = p50(outcomes, { lane: 'websocket' }, 'sent → applied')
  return lanesIn(outcomes, {}).flatMap((lane) => {
    const most = MOST[lane]
    if (most === undefined || !Number.isFinite(webSocket)) return []
    return aimAtMost({
      name: `${lane} ÷ websocket, sent → applied p50`,
      measured: p50(outcomes, { lane }, 'sent → applied') / webSocket,
      limit: most,
      unit: '×',
    })
  })
}

function headlinesOf(outcomes: Outcomes) {
  const mean = (lane: LaneName) => figure(of(outcomes, { lane }), 'key → applied', 'mean').median
  const ratio = (what: string, above: LaneName, below: LaneName, beside: number) => ({
    what,
    ours: (mean(above) / mean(below)).toFixed(2),
    published: `${beside} (${sources.keystrokes.short})`,
  })
  const rows = [
    {
      what: 'Key → applied in four other windows by WebSocket, mean',
      ours: `${mean('websocket').toFixed(1)} ms`,
      published: `${published.websocket} ms (${sources.keystrokes.short})`,
    },
    ratio(
      'The same by SSE over HTTP/2 ÷ WebSocket',
      'sse',
      'websocket',
      published.ratios['sse h2 / websocket'],
    ),
    ratio(
      'The same by SSE, HTTP/1.1 ÷ HTTP/2',
      'sse-http1',
      'sse',
      published.ratios['sse http/1.1 / sse h2'],
    ),
  ]
  return rows.filter(({ ours }) => !ours.startsWith('NaN'))
}
