/** The windows of this person that show the document, each with what it measured itself: this one, and those that tell. */
import type {
  LatencyState,
  LatencySummary,
  EditTimeline,
  WindowFigures,
} from '@/lib/latency/latency-state.ts'
import { strings } from '@/lib/strings/inspector.ts'
import type { LinkInfo } from '@/lib/transports/transport.ts'
import { linkText, windowLabel } from '@/components/latency/latency-text.ts'

export interface MeasuredWindow {
  readonly id: string
  /** No two have the same. */
  readonly name: string
  readonly self: boolean
  readonly summary: LatencySummary
}

interface OwnWindowName {
  readonly id: string
  readonly name: string
}

/** @param numberOf By a window's id, what tells it from others of its name. */
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

/** Those that no list of windows has are told apart, too. */
function withUniqueNames(measuredWindows: readonly MeasuredWindow[]): readonly MeasuredWindow[] {
  const counts = new Map<string, number>()
  return measuredWindows.map((one) => {
    const count = (counts.get(one.name) ?? 0) + 1
    counts.set(one.name, count)
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` }
  })
}

/** As the others here call it, where it is one of them. */
export const windowNamer =
  (measuredWindows: readonly MeasuredWindow[]) =>
  (window: WindowFigures): string =>
    measuredWindows.find(({ id }) => id === window.id)?.name ?? windowLabel(window)

export type WindowNamer = ReturnType<typeof windowNamer>

/** In a chart, where windows are compared for their transports. */
export const lineName = ({ name }: MeasuredWindow, link: LinkInfo | undefined): string =>
  link ? strings.windowBy(name, linkText(link)) : name

export interface MeasuredLine<Point> {
  readonly name: string
  readonly points: readonly Point[]
}

/**
 * What was measured of a window, apart by the links it went by: the one in use first, though nothing was measured on it, then the
 * latest used. @param points Oldest first.
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

/** Whose edits to look at first: the window that made most of them. This one where nobody made any. */
export function busiestWindow(measuredWindows: readonly MeasuredWindow[]): MeasuredWindow | undefined {
  const edits = ({ summary: { own, earlier } }: MeasuredWindow): number =>
    earlier.reduce((sum, one) => sum + one.edits, Math.max(own.ownPaint.count, own.sent.count))
  return measuredWindows.toSorted((a, b) => edits(b) - edits(a))[0]
}

/** As many of a window's edits as it keeps itself. */
const MAX_EDITS_PER_WINDOW = 200

/** Another window tells its latest few edits, again and again: all that were told are kept, each as it was told last. */
export class ReceivedEdits {
  readonly #windows = new Map<string, ReadonlyMap<number, EditTimeline>>()

  /** The same windows, with the edits that they told before. */
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
