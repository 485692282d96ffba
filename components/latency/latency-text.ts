/** Formats delays for people: in ms, from the key press. */
import type {
  RemoteStage,
  OwnStage,
  ArrivalPath,
  Percentiles,
  LatencySummary,
  TransportSwitch,
  WindowFigures,
} from '@/lib/latency/latency-state.ts'
import type { LinkInfo } from '@/lib/transports/transport.ts'
import { panelIds } from '@/lib/windows/panels.ts'
import { latencyFiguresStrings } from '@/lib/strings/latency-figures.ts'
import { panelsStrings } from '@/lib/strings/panels.ts'
import { transportLabel } from '@/components/connection/connection-text.ts'

/** Twice as fast as toLocaleString, and an overlay has fifty figures. */
const integerFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** A tenth of a ms is as fine as most browsers' clocks. */
export const msText = (ms: number): string => (ms < 9.95 ? ms.toFixed(1) : integerFormat.format(ms))

/** The label of a mark on an axis. */
export const msMark = (ms: number): string =>
  ms === 0 ? '0' : latencyFiguresStrings.units.ms(`${Number(ms.toPrecision(3))}`)

export type PercentileKey = Exclude<keyof Percentiles, 'count'>

export const percentileKeys: readonly PercentileKey[] = ['p50', 'p95', 'p99', 'max']

export const percentileText = (figures: Percentiles, key: PercentileKey): string =>
  figures.count === 0 ? '–' : msText(figures[key])

export function bytesText(bytes: number): string {
  if (bytes < 1024) return latencyFiguresStrings.units.bytes(integerFormat.format(bytes))
  const kibibytes = bytes / 1024
  return kibibytes < 1024
    ? latencyFiguresStrings.units.kibibytes(kibibytes.toFixed(1))
    : latencyFiguresStrings.units.mebibytes((kibibytes / 1024).toFixed(1))
}

export const queueText = ({ edits, bytes }: LatencySummary['queue']): string =>
  edits === 0
    ? latencyFiguresStrings.queueAndTraffic.nothingQueued
    : latencyFiguresStrings.queueAndTraffic.queued(edits, bytesText(bytes))

/** Names what carried the edits: "SSE", "Polling, simulated". */
export function linkText(info: LinkInfo): string {
  const label = transportLabel({ state: 'up', info })
  return info.simulated ? latencyFiguresStrings.links.simulated(label) : label
}

/** For example "12 by WebSocket, 3 by SSE": the edits that the figures beside it do not count. '' if there are none. */
export const earlierText = (earlier: LatencySummary['earlier']): string =>
  earlier
    .map(({ link, edits }) => latencyFiguresStrings.links.edits(integerFormat.format(edits), linkText(link)))
    .join('; ')

/** Tells a real change from a window's first link, which changed nothing. */
export const isTransportChange = ({ from }: TransportSwitch): boolean => from !== ''

export const stageNames: Readonly<Record<OwnStage | RemoteStage, string>> = latencyFiguresStrings.stages

export const pathNames: Readonly<Record<ArrivalPath, string>> = latencyFiguresStrings.paths

/** By which path edits arrived, and how often. '' before the first. */
export function pathsText(paths: WindowFigures['paths']): string {
  const usedPaths = (Object.keys(pathNames) as ArrivalPath[]).filter((path) => paths[path] > 0)
  if (usedPaths.length === 1) return latencyFiguresStrings.allBy(pathNames[usedPaths[0]!])
  return usedPaths
    .map((path) => latencyFiguresStrings.editsBy(integerFormat.format(paths[path]), pathNames[path]))
    .join(', ')
}

/** How far the clocks may differ (L2); '' if it is the same clock. */
export function boundText({ sameBrowser, boundMs }: Pick<WindowFigures, 'sameBrowser' | 'boundMs'>): string {
  if (sameBrowser) return ''
  return boundMs === undefined
    ? latencyFiguresStrings.clocks.unknown
    : latencyFiguresStrings.clocks.bound(msText(boundMs))
}

interface NamedWindow {
  readonly name: string
  readonly person?: string
  readonly device: string
  readonly sameBrowser: boolean
}

/** For example "Outline", "Budget plan on Chrome on Linux", "Ada Lovelace". */
export function windowLabel({ name, person = '', device, sameBrowser }: NamedWindow): string {
  const own = nameOfTitle(name) || person || latencyFiguresStrings.windows.program
  return sameBrowser || !device ? own : latencyFiguresStrings.windows.onDevice(own, device)
}

/** For windows that all show one document: "Outline" rather than "Outline – Budget plan", and "Budget plan" for the text. */
function nameOfTitle(title: string): string {
  const panel = panelIds
    .map((id) => panelsStrings.entries[id].name)
    .find((name) => title.startsWith(`${name} – `))
  return panel ?? title.replace(/ – Diptych$/, '')
}
