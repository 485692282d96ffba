/** Makes lines and tables of the server's samples. Knows no React and no network. */
import type { AdminSample } from '@/lib/protocol/admin.ts'
import { adminStrings } from '@/lib/strings/admin.ts'
import { transportLabels } from '@/lib/transports/transport-labels.ts'
import type { ChartLine, ChartTable } from '../charts/chart.tsx'
import type { AxisMarks } from '../charts/plot.ts'

type ReadFigure = (sample: AdminSample) => number | null

export interface AdminChart {
  readonly id: keyof typeof adminStrings.charts
  readonly lines: readonly ChartLine[]
  readonly table: ChartTable
  readonly yText: (value: number) => string
  readonly yMarks: AxisMarks
  /** Shown while there is nothing to draw. */
  readonly empty: string
}

interface LineDefinition {
  readonly name: string
  readonly read: ReadFigure
}

type YAxis = Pick<AdminChart, 'yText' | 'yMarks'>

const countText = (value: number): string =>
  adminStrings.units.count(value.toLocaleString(undefined, { maximumFractionDigits: 1 }))
const rateText = (value: number): string => adminStrings.units.perSecond(countText(value))
/** Zero, and what has two digits before the point, need none behind it. */
const shortText = (value: number): string => value.toFixed(value > 0 && value < 10 ? 1 : 0)

const msText = (value: number): string => adminStrings.units.ms(shortText(value))

const { kilobytes, megabytes } = adminStrings.units
/** @param largest Of the figures that stand together and have one unit. */
const byteUnitOf = (largest: number) =>
  largest < 1e6 ? { size: 1e3, text: kilobytes } : { size: 1e6, text: megabytes }
function bytesText(value: number): string {
  const { size, text } = byteUnitOf(value)
  return text(shortText(value / size))
}
function bytesMarkText(value: number, highest: number): string {
  const { size, text } = byteUnitOf(highest)
  return text(countText(value / size))
}

const counts: YAxis = { yText: countText, yMarks: { step: 1, text: countText } }
const rates: YAxis = { yText: rateText, yMarks: { step: 1, text: rateText } }
const durations: YAxis = {
  yText: msText,
  yMarks: { step: 0.1, text: (value) => adminStrings.units.ms(countText(value)) },
}
const bytes: YAxis = { yText: bytesText, yMarks: { step: 100, text: bytesMarkText } }
const byteRates: YAxis = {
  yText: (value) => adminStrings.units.perSecond(bytesText(value)),
  yMarks: {
    step: 100,
    text: (value, highest) => adminStrings.units.perSecond(bytesMarkText(value, highest)),
  },
}

const { lines } = adminStrings

interface ChartDefinition {
  readonly id: AdminChart['id']
  readonly axis: YAxis
  readonly lines: readonly LineDefinition[]
}

const definitions: readonly ChartDefinition[] = [
  {
    id: 'messages',
    axis: rates,
    lines: [
      { name: lines.received, read: (sample) => sample.messagesReceivedPerSecond },
      { name: lines.sent, read: (sample) => sample.messagesSentPerSecond },
    ],
  },
  {
    id: 'bytes',
    axis: byteRates,
    lines: [
      { name: lines.received, read: (sample) => sample.bytesReceivedPerSecond },
      { name: lines.sent, read: (sample) => sample.bytesSentPerSecond },
    ],
  },
  {
    id: 'acknowledgement',
    axis: durations,
    lines: [
      { name: lines.p50, read: (sample) => sample.acknowledgementP50Ms },
      { name: lines.p99, read: (sample) => sample.acknowledgementP99Ms },
    ],
  },
  {
    id: 'loop',
    axis: durations,
    lines: [
      { name: lines.p50, read: (sample) => sample.loopDelayP50Ms },
      { name: lines.p99, read: (sample) => sample.loopDelayP99Ms },
    ],
  },
  { id: 'errors', axis: counts, lines: [{ name: lines.errors, read: (sample) => sample.storeErrors }] },
  {
    id: 'rooms',
    axis: counts,
    lines: [
      { name: lines.rooms, read: (sample) => sample.rooms },
      { name: lines.queued, read: (sample) => sample.queued },
    ],
  },
  {
    id: 'memory',
    axis: bytes,
    lines: [
      { name: lines.resident, read: (sample) => sample.residentBytes },
      { name: lines.heap, read: (sample) => sample.heapBytes },
    ],
  },
]

const idleTexts: Partial<Record<AdminChart['id'], string>> = adminStrings.idle

export function createAdminCharts(samples: readonly AdminSample[]): AdminChart[] {
  const sessions: ChartDefinition = { id: 'sessions', axis: counts, lines: sessionLines(samples) }
  return [sessions, ...definitions].map(({ id, axis, lines: chartLines }) => ({
    id,
    ...axis,
    empty: samples.length === 0 ? adminStrings.empty : (idleTexts[id] ?? adminStrings.empty),
    lines: chartLines.map((line) => ({ name: line.name, points: pointsOf(samples, line.read) })),
    table: {
      head: adminStrings.columns,
      rows: chartLines.map((line) => tableRow(samples, line, axis.yText)),
    },
  }))
}

/** One line for each transport that was in use, in the order of the transports, and then those without a link. */
function sessionLines(samples: readonly AdminSample[]): LineDefinition[] {
  const used = new Set(samples.flatMap(({ sessions }) => Object.keys(sessions)))
  const names: Readonly<Record<string, string>> = { ...transportLabels, none: adminStrings.noLink }
  return Object.entries(names)
    .filter(([transport]) => used.has(transport))
    .map(([transport, name]) => ({ name, read: ({ sessions }) => sessions[transport] ?? 0 }))
}

/** Seconds before the latest sample, which is at 0. */
function pointsOf(samples: readonly AdminSample[], read: ReadFigure): { x: number; y: number }[] {
  const latest = samples.at(-1)?.at ?? 0
  return samples.flatMap((sample) => {
    const y = read(sample)
    return y === null ? [] : [{ x: Math.round((sample.at - latest) / 1000), y }]
  })
}

/** A table of each moment would be read aloud for an hour; the span says what matters. */
function tableRow(
  samples: readonly AdminSample[],
  { name, read }: LineDefinition,
  text: (value: number) => string,
): string[] {
  const values = samples.map(read).filter((value) => value !== null)
  const latest = samples.length > 0 ? read(samples.at(-1)!) : null
  const cells = values.length > 0 ? [latest, Math.min(...values), Math.max(...values)] : [null, null, null]
  return [name, ...cells.map((value) => (value === null ? adminStrings.nothing : text(value)))]
}
