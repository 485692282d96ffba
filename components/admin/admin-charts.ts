/** Makes lines and tables of the server's samples. Knows no React and no network. */
import type { AdminSample } from '@/lib/protocol/admin.ts'
import { strings } from '@/lib/strings/admin.ts'
import { transportLabels } from '@/lib/transports/transport-labels.ts'
import type { ChartLine, ChartTable } from '../charts/chart.tsx'

type ReadFigure = (sample: AdminSample) => number | null

export interface AdminChart {
  readonly id: keyof typeof strings.charts
  readonly lines: readonly ChartLine[]
  readonly table: ChartTable
  readonly yText: (value: number) => string
}

interface LineDefinition {
  readonly name: string
  readonly read: ReadFigure
}

const countText = (value: number): string =>
  strings.units.count(value.toLocaleString(undefined, { maximumFractionDigits: 1 }))
const rateText = (value: number): string => strings.units.perSecond(countText(value))
/** Zero, and what has two digits before the point, need none behind it. */
const shortText = (value: number): string => value.toFixed(value > 0 && value < 10 ? 1 : 0)

const msText = (value: number): string => strings.units.ms(shortText(value))
const bytesText = (value: number): string =>
  value < 1e6
    ? strings.units.kilobytes(shortText(value / 1e3))
    : strings.units.megabytes(shortText(value / 1e6))
const byteRateText = (value: number): string => strings.units.perSecond(bytesText(value))

const { lines } = strings

const definitions: readonly (Pick<AdminChart, 'id' | 'yText'> & {
  readonly lines: readonly LineDefinition[]
})[] = [
  {
    id: 'messages',
    yText: rateText,
    lines: [
      { name: lines.received, read: (sample) => sample.messagesReceivedPerSecond },
      { name: lines.sent, read: (sample) => sample.messagesSentPerSecond },
    ],
  },
  {
    id: 'bytes',
    yText: byteRateText,
    lines: [
      { name: lines.received, read: (sample) => sample.bytesReceivedPerSecond },
      { name: lines.sent, read: (sample) => sample.bytesSentPerSecond },
    ],
  },
  {
    id: 'acknowledgement',
    yText: msText,
    lines: [
      { name: lines.p50, read: (sample) => sample.acknowledgementP50Ms },
      { name: lines.p99, read: (sample) => sample.acknowledgementP99Ms },
    ],
  },
  {
    id: 'loop',
    yText: msText,
    lines: [
      { name: lines.p50, read: (sample) => sample.loopDelayP50Ms },
      { name: lines.p99, read: (sample) => sample.loopDelayP99Ms },
    ],
  },
  { id: 'errors', yText: countText, lines: [{ name: lines.errors, read: (sample) => sample.storeErrors }] },
  {
    id: 'rooms',
    yText: countText,
    lines: [
      { name: lines.rooms, read: (sample) => sample.rooms },
      { name: lines.queued, read: (sample) => sample.queued },
    ],
  },
  {
    id: 'memory',
    yText: bytesText,
    lines: [
      { name: lines.resident, read: (sample) => sample.residentBytes },
      { name: lines.heap, read: (sample) => sample.heapBytes },
    ],
  },
]

export function createAdminCharts(samples: readonly AdminSample[]): AdminChart[] {
  const sessions = { id: 'sessions', yText: countText, lines: sessionLines(samples) } as const
  return [sessions, ...definitions].map(({ id, yText, lines: chartLines }) => ({
    id,
    yText,
    lines: chartLines.map((line) => ({ name: line.name, points: pointsOf(samples, line.read) })),
    table: {
      head: strings.columns,
      rows: chartLines.map((line) => tableRow(samples, line, yText)),
    },
  }))
}

/** One line for each transport that was in use, in the order of the transports, and then those without a link. */
function sessionLines(samples: readonly AdminSample[]): LineDefinition[] {
  const used = new Set(samples.flatMap(({ sessions }) => Object.keys(sessions)))
  const names: Readonly<Record<string, string>> = { ...transportLabels, none: strings.noLink }
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
  return [name, ...cells.map((value) => (value === null ? strings.nothing : text(value)))]
}
