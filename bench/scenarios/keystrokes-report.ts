/** What the keystrokes say: a table a lane, the aims, and everything as JSON. Aims are reported, never asserted. */
import type { Frames } from '../relay/frames.ts'
import { bytesOf } from '../relay/frames.ts'
import type { LaneName } from '../support/lanes.ts'
import { lanes } from '../support/lanes.ts'
import type { Surroundings } from '../support/machine.ts'
import { SATURATED } from '../support/machine.ts'
import type { Spread, Summary } from '../support/stats.ts'
import { overRounds, summarise } from '../support/stats.ts'
import type { Stations, Subject } from '../support/subject.ts'
import type { Trial } from '../support/trial.ts'

export interface Measured {
  readonly values: { readonly lanes: readonly LaneName[] }
  readonly at: Surroundings
  readonly loadBefore: number
  readonly frames: Frames
  /** ms each, back to back */
  readonly fsyncs: readonly number[]
  /** As far apart as the keys are. */
  readonly pacedFsyncs: readonly number[]
  readonly trials: readonly Trial[]
}

const spans = {
  'key → sent': ({ key, sent }) => sent - key,
  'sent → applied': ({ sent, applied }) => applied - sent,
  'sent → rendered': ({ sent, rendered }) => rendered - sent,
  'key → applied': ({ key, applied }) => applied - key,
  'key → painted': ({ key, painted }) => painted - key,
  'edit → saved': ({ edited, answered }) => answered - edited,
  'sent → saved': ({ sent, answered }) => answered - sent,
} satisfies Record<string, (of: Stations) => number>

type SpanName = keyof typeof spans
const spanNames = Object.keys(spans) as SpanName[]

type Figures = Readonly<Record<keyof Summary, Spread>>

const figureNames = ['mean', 'p50', 'p95', 'p99', 'max', 'count'] as const

/** Each figure is a round's own; over the rounds it has a median and two ends. */
function figuresOf(trials: readonly Trial[], span: SpanName): Figures {
  const rounds = trials.map(({ keys }) => summarise(keys.map(spans[span])))
  return Object.fromEntries(
    figureNames.map((figure) => [figure, overRounds(rounds.map((round) => round[figure]))]),
  ) as unknown as Figures
}

export function reportOf(measured: Measured): { text: string; result: object } {
  const { values, at, trials, frames, loadBefore } = measured
  const fsync = summarise(measured.pacedFsyncs)
  const tables = values.lanes.map((lane) => ({ lane, ...figuresOfLane(trials, lane) }))
  const ofLanes = tables.flatMap(({ lane, diptych, relay }) => aimsOf(lane, diptych, relay, fsync))
  const aims = [...ofLanes, ...ratioAims(tables)]
  const text = [
    ...tables.map(({ lane, diptych, relay }) => tableOf(lane, diptych, relay)),
    explanation,
    fsyncLine(fsync, summarise(measured.fsyncs)),
    framesLine(frames),
    ...healthLines(trials, loadBefore),
    '',
    'Aims',
    ...aims.map(aimLine),
    '',
    `${at.machine}, ${at.cores} cores, ${at.memoryGiB} GiB, ${at.system}; Node ${at.node}, ${at.browser}; Diptych ${at.diptych} ${at.commit}`,
  ].join('\n')
  return { text, result: { ...measured, fsync, tables, aims, trials: trials.map(rounded) } }
}

type OfSubject = Readonly<Record<SpanName, Figures>>

function figuresOfLane(trials: readonly Trial[], lane: LaneName): Record<Subject['name'], OfSubject> {
  const of = (subject: Subject['name']): OfSubject => {
    const own = trials.filter((trial) => trial.lane === lane && trial.subject === subject)
    return Object.fromEntries(spanNames.map((span) => [span, figuresOf(own, span)])) as unknown as OfSubject
  }
  return { diptych: of('diptych'), relay: of('relay') }
}

// The table

const columns = ['mean', 'p50', 'p95', 'p99'] as const

function tableOf(lane: LaneName, diptych: OfSubject, relay: OfSubject): string {
  const names = [...columns.map((name) => name.padStart(8)), 'p50 from–to'.padStart(13)].join('')
  const head = `${'ms'.padEnd(17)}${names}   │${names}   │  p50 ÷`
  const rows = spanNames.map((span) => {
    const ratio = diptych[span].p50.median / relay[span].p50.median
    return `${span.padEnd(17)}${cells(diptych[span])}   │${cells(relay[span])}   │ ${ratio.toFixed(2).padStart(6)}`
  })
  const width = names.length + 3
  const over = `${''.padEnd(17)}${centred('Diptych', width)}│${centred('bare relay', width)}│`
  return [`${lane}: ${lanes[lane].words}`, over, head, ...rows, ''].join('\n')
}

const cells = (figures: Figures): string =>
  columns.map((name) => ms(figures[name].median).padStart(8)).join('') +
  `${ms(figures.p50.least)}–${ms(figures.p50.most)}`.padStart(13)

const centred = (text: string, width: number): string =>
  text.padStart(Math.floor((width + text.length) / 2)).padEnd(width)

const ms = (value: number): string => value.toFixed(value < 100 ? 2 : 0)

const explanation = [
  'Figures are medians over the rounds of each round’s own figure; percentiles are exact samples. Times of both windows are',
  'timeOrigin + now() of one browser. key: the key event’s own time. sent: right before the frame is handed to the transport.',
  'applied: the other window’s document has it (relay: its frame is decoded). rendered: its editor’s DOM has it. painted: the',
  'first task after the frame that shows it. saved: whenSaved() resolved, so it is on disk (relay: its answer came back).',
  '',
].join('\n')

const fsyncLine = (paced: Summary, tight: Summary): string =>
  [
    `The disk alone, 4 KiB appended and fdatasync: as far apart as the keys p50 ${ms(paced.p50)}, p99 ${ms(paced.p99)} ms (the aims take`,
    `this one); back to back p50 ${ms(tight.p50)}, p99 ${ms(tight.p99)} ms.`,
  ].join('\n')

function framesLine({ keys, answer }: Frames): string {
  const bytes = keys.map((frames) => frames.reduce((sum, frame) => sum + bytesOf(frame), 0))
  const frames = summarise(keys.map(({ length }) => length)).mean
  return `A keystroke as recorded: ${frames} frame(s) of ${summarise(bytes).p50} B up, its answer ${bytesOf(answer)} B; the relay carries these.`
}

function healthLines(trials: readonly Trial[], loadBefore: number): string[] {
  const most = (figure: (trial: Trial) => number) => Math.max(...trials.map(figure))
  const saturated = trials.filter(({ load }) => load > SATURATED).length
  return [
    `The windows’ clocks differed by at most ${most((trial) => Math.abs(trial.clockDifference)).toFixed(3)} ms; keys went down at most ${ms(most(({ latest }) => latest))} ms late.`,
    `Load before: ${loadBefore.toFixed(2)}; while typing up to ${Math.round(most(({ load }) => load) * 100)} % of the machine.`,
    ...(saturated > 0
      ? [
          `SATURATED: ${saturated} of ${trials.length} trials ran on a machine more than ${SATURATED * 100} % busy.`,
        ]
      : []),
  ]
}

// The aims

interface Aim {
  readonly lane: LaneName
  readonly name: string
  /** ms */
  readonly measured: number
  readonly limit: number
  readonly sum: string
  readonly reached: boolean
}

function aimsOf(lane: LaneName, diptych: OfSubject, relay: OfSubject, fsync: Summary): Aim[] {
  const twoSyncs = 2 * fsync.p50
  const bare = relay['sent → applied'].p50.median
  const trip = relay['sent → saved'].p50.median
  const aim = (name: string, measured: number, limit: number, sum: string): Aim => {
    return { lane, name, measured, limit, sum, reached: measured <= limit }
  }
  const saved = diptych['edit → saved']
  return [
    aim(
      'sent → applied, p50',
      diptych['sent → applied'].p50.median,
      1.3 * bare + twoSyncs,
      `1.3 × ${ms(bare)} + 2 × ${ms(fsync.p50)}`,
    ),
    aim(
      'whenSaved, p50',
      saved.p50.median,
      trip + twoSyncs + 1,
      `round trip ${ms(trip)} + 2 × ${ms(fsync.p50)} + 1`,
    ),
    aim('whenSaved, p99', saved.p99.median, 20, 'fixed'),
  ]
}

/** Of a lane's p50 to WebSocket's in the same run. */
const MOST: Partial<Record<LaneName, number>> = { sse: 2, stream: 2, 'sse-posts': 3.5, 'stream-posts': 3.5 }

function ratioAims(tables: readonly { lane: LaneName; diptych: OfSubject }[]): Aim[] {
  const p50 = ({ diptych }: { diptych: OfSubject }): number => diptych['sent → applied'].p50.median
  const webSocket = tables.find(({ lane }) => lane === 'websocket')
  if (!webSocket) return []
  return tables.flatMap((table) => {
    const { lane } = table
    const most = MOST[lane]
    if (most === undefined) return []
    const limit = most * p50(webSocket)
    const sum = `${most} × ${ms(p50(webSocket))} of websocket`
    return {
      lane,
      name: 'sent → applied, p50',
      measured: p50(table),
      limit,
      sum,
      reached: p50(table) <= limit,
    }
  })
}

function aimLine({ lane, name, measured, limit, sum, reached }: Aim): string {
  const verdict = reached ? 'reached' : `NOT reached, by ${ms(measured - limit)} ms`
  return `  ${lane.padEnd(12)} ${name.padEnd(20)} ${ms(measured).padStart(6)} ms of ${ms(limit)} (${sum}): ${verdict}`
}

/** Stations as ms after the key, to a microsecond: the clock's own grain is 100 µs. */
function rounded({ keys, ...trial }: Trial): object {
  const after = ({ key, ...rest }: Stations) =>
    Object.fromEntries(Object.entries(rest).map(([name, at]) => [name, Math.round((at - key) * 1000) / 1000]))
  return { ...trial, keys: keys.map(after) }
}
