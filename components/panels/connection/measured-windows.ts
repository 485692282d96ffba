/** The windows of this person that show the document, each with its own measurements: this one, and those that report theirs. */
import type {
  LatencyState,
  LatencySummary,
  EditTimeline,
  WindowFigures,
} from '@/lib/latency/latency-state.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import type { LinkInfo } from '@/lib/transports/transport.ts'
import { linkText, windowLabel } from '@/components/latency/latency-text.ts'

export interface MeasuredWindow {
  readonly id: string
  /** Unique among the windows. */
  readonly name: string
  readonly self: boolean
  readonly summary: LatencySummary
}

interface OwnWindowName {
  readonly id: string
  readonly name: string
}

/** @param numberOf By a window's id, the number that tells it from others of its name. */
export function measuredWindowsOf(
  own: OwnWindowName,
  state: LatencyState,
  timelines: readonly EditTimeline[],
  numberOf: (id: string) => string = () => '',
): readonly MeasuredWindow[] {
  const remote = state.receivedSummaries.map(({ id, name, device, sameBrowser, at: _at, ...summary }) => ({
    id,
    name: windowLabel({ name, device, sameBrowser }) + numberOf(id),
    self: false,
    summary,
  }))
  const ownWindow = {
    id: own.id,
    name: own.name + numberOf(own.id),
    self: true,
    summary: { ...state, timelines },
  }
  return withUniqueNames([ownWindow, ...remote])
}

/** Gives unique names also to windows that no list contains. */
function withUniqueNames(measuredWindows: readonly MeasuredWindow[]): readonly MeasuredWindow[] {
  const counts = new Map<string, number>()
  return measuredWindows.map((one) => {
    const count = (counts.get(one.name) ?? 0) + 1
    counts.set(one.name, count)
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` }
  })
}

/** Names a window as the list here does, if it is in the list. */
export const windowNamer =
  (measuredWindows: readonly MeasuredWindow[]) =>
  (window: WindowFigures): string =>
    measuredWindows.find(({ id }) => id === window.id)?.name ?? windowLabel(window)

export type WindowNamer = ReturnType<typeof windowNamer>

/** The name of a line in a chart that compares windows by their transports. */
export const lineName = ({ name }: MeasuredWindow, link: LinkInfo | undefined): string =>
  link ? inspectorStrings.windowBy(name, linkText(link)) : name

export interface MeasuredLine<Point> {
  readonly name: string
  readonly points: readonly Point[]
}

/**
 * The measurements of a window as one line per link: the link in use first, even without measurements, then by latest use.
 * @param points Oldest first.
 */
export function measuredLinesOf<Point extends { readonly link?: LinkInfo }>(
  one: MeasuredWindow,
  points: readonly Point[],
): readonly MeasuredLine<Point>[] {
  const { link: inUse } = one.summary
  const latest = Map.groupBy(points.toReversed(), ({ link = inUse }) => lineName(one, link))
  const names = new Set([lineName(one, inUse), ...latest.keys()])
  return [...names].map((name) => ({ name, points: (latest.get(name) ?? []).toReversed() }))
}

/** The window whose edits are shown first: the one that made the most. This window if nobody made any. */
export function busiestWindow(measuredWindows: readonly MeasuredWindow[]): MeasuredWindow | undefined {
  const edits = ({ summary: { own, earlier } }: MeasuredWindow): number =>
    earlier.reduce((sum, one) => sum + one.edits, Math.max(own.ownPaint.count, own.sent.count))
  return measuredWindows.toSorted((a, b) => edits(b) - edits(a))[0]
}

/** As many edits as a window stores of its own. */
const MAX_EDITS_PER_WINDOW = 200

/** Another window reports only its latest edits, again and again. This stores all reported edits, each as last reported. */
export class ReceivedEdits {
  readonly #windows = new Map<string, ReadonlyMap<number, EditTimeline>>()

  /** The same windows, with the edits that they reported before. */
  addReceived(measuredWindows: readonly MeasuredWindow[]): readonly MeasuredWindow[] {
    return measuredWindows.map((one) => (one.self ? one : { ...one, summary: this.#completeSummary(one) }))
  }

  readonly clear = (): void => this.#windows.clear()

  #completeSummary({ id, summary }: MeasuredWindow): LatencySummary {
    const editsByNumber = new Map(this.#windows.get(id))
    for (const edit of summary.timelines) editsByNumber.set(edit.edit, edit)
    const latest = [...editsByNumber].toSorted(([a], [b]) => a - b).slice(-MAX_EDITS_PER_WINDOW)
    this.#windows.set(id, new Map(latest))
    return { ...summary, timelines: latest.map(([, edit]) => edit) }
  }
}
