/** What the keystrokes say: tables a network, and the station table beside the relay's. */
import { keystrokes as published, sources } from '../published.ts'
import { bytesOf, type Frames } from '../relay/frames.ts'
import type { BarChart, Cell, Section, Table } from '../report/section.ts'
import { type LaneName, lanes } from '../support/lanes.ts'
import { overRounds, summarise, type Summary } from '../support/stats.ts'
import { aimsOf, headlinesOf } from './keystrokes-aims.ts'
import {
  type Data,
  figure,
  FIVE,
  lanesIn,
  type Network,
  of,
  type Outcomes,
  type SpanName,
  spanNames,
  titles,
} from './keystrokes-figures.ts'

export function reportOf(outcomes: Outcomes): Section {
  const networks = (['direct', '0', '25', '100'] as const).filter((network) =>
    outcomes.some(({ trial: { params } }) => params.network === network),
  )
  const most = (figure: (data: Data) => number) => Math.max(...outcomes.map(({ data }) => figure(data)))
  const aims = aimsOf(outcomes)
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
    aims,
    headlines: headlinesOf(outcomes, aims),
    notes: [
      framesLine(outcomes[0]!.data.frames),
      `The windows’ clocks differed by at most ${most(({ clockDifference }) => clockDifference).toFixed(3)} ms; keys went down at most ${most(({ latest }) => latest).toFixed(1)} ms late.`,
      'Servers are warm: they live through all trials, so that the memory of one is what all trials before it left, too.',
      'The aims take the disk’s own fdatasync of 4 KiB, as far apart as the keys.',
    ],
  }
}

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
    return [
      ...waysRow(own, subject === 'relay' ? `${titles[lane]}, bare relay` : titles[lane]),
      ...(direct ? [beside] : []),
    ]
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
      rows: lanesIn(outcomes, { windows }).map((lane) =>
        waysRow(of(outcomes, { lane, windows }), titles[lane]),
      ),
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
      rows: known.map((lane) => [titles[lane], ...cells(lane)]),
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
      title: `Stations, ${titles[lane]}: ${lanes[lane].words}`,
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
      groups: groups.map((lane) => titles[lane]),
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
