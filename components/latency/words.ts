/** Delays as they are read: in ms, from the key that was pressed. */
import type {
  FarStation,
  OwnStation,
  Path,
  Percentiles,
  Summary,
  Switch,
  WindowFigures,
} from '@/lib/latency/state.ts'
import type { LinkInfo } from '@/lib/transports/transport.ts'
import { panelIds } from '@/lib/windows/panels.ts'
import { transportLabel } from '@/components/connection/words.ts'
import { panels } from '@/components/panels/registry.ts'

/** Twice as quick as toLocaleString, and an overlay has fifty of them. */
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** A tenth of a ms is as fine as most browsers' clocks. */
export const msText = (ms: number): string => (ms < 9.95 ? ms.toFixed(1) : whole.format(ms))

/** At the mark of an axis. */
export const msMark = (ms: number): string => (ms === 0 ? '0' : `${Number(ms.toPrecision(3))} ms`)

export type Part = Exclude<keyof Percentiles, 'count'>

export const parts: readonly Part[] = ['p50', 'p95', 'p99', 'max']

export const partText = (figures: Percentiles, part: Part): string =>
  figures.count === 0 ? '–' : msText(figures[part])

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${whole.format(bytes)} B`
  const kibibytes = bytes / 1024
  return kibibytes < 1024 ? `${kibibytes.toFixed(1)} KiB` : `${(kibibytes / 1024).toFixed(1)} MiB`
}

export function queueText({ edits, bytes }: Summary['queue']): string {
  if (edits === 0) return 'nothing'
  return `${edits === 1 ? '1 edit' : `${edits} edits`}, ${bytesText(bytes)}`
}

/** What edits went by: "SSE", "Polling, simulated". */
export function linkText(info: LinkInfo): string {
  const label = transportLabel({ state: 'up', info })
  return info.simulated ? `${label}, simulated` : label
}

/** "12 by WebSocket, 3 by SSE": those that the figures beside it do not count. '' where there are none. */
export const earlierText = (earlier: Summary['earlier']): string =>
  earlier.map(({ link, edits }) => `${whole.format(edits)} by ${linkText(link)}`).join('; ')

/** Of bytes, wherever they are counted: transports differ in what they add. */
export const framesAlone =
  'Diptych’s own frames alone: what WebSocket or HTTP, and TLS, put around them is not counted'

/** Every window begins with a link, which changed nothing. */
export const isChange = ({ from }: Switch): boolean => from !== ''

export const stationNames: Readonly<Record<OwnStation | FarStation, string>> = {
  ownPaint: 'Own paint',
  sent: 'Sent',
  acknowledged: 'Acknowledged',
  saved: 'Saved',
  received: 'Received',
  applied: 'Applied',
  painted: 'Painted',
}

export const pathNames: Readonly<Record<Path, string>> = {
  browser: 'within the browser',
  server: 'by the server',
}

/** Which way edits came, and how often. '' before the first. */
export function pathsText(paths: WindowFigures['paths']): string {
  const taken = (Object.keys(pathNames) as Path[]).filter((path) => paths[path] > 0)
  if (taken.length === 1) return `all ${pathNames[taken[0]!]}`
  return taken.map((path) => `${whole.format(paths[path])} ${pathNames[path]}`).join(', ')
}

/** Of clocks that are not the same (L2); '' where they are. */
export function boundText({ sameBrowser, boundMs }: Pick<WindowFigures, 'sameBrowser' | 'boundMs'>): string {
  if (sameBrowser) return ''
  return boundMs === undefined ? 'clocks not compared yet' : `± ${msText(boundMs)} ms`
}

interface Named {
  readonly name: string
  readonly person?: string
  readonly device: string
  readonly sameBrowser: boolean
}

/** "Outline", "Budget plan on Chrome on Linux", "Ada Lovelace". */
export function watchedName({ name, person = '', device, sameBrowser }: Named): string {
  const own = nameOfTitle(name) || person || 'A program'
  return sameBrowser || !device ? own : `${own} on ${device}`
}

/** Of windows that all show one document: "Outline" rather than "Outline – Budget plan", "Budget plan" for the text. */
function nameOfTitle(title: string): string {
  const panel = panelIds.map((id) => panels[id].name).find((name) => title.startsWith(`${name} – `))
  return panel ?? title.replace(/ – Diptych$/, '')
}
