/** The windows of this person that show the document, each with what it measured itself: this one, and those that tell. */
import type { LatencyState, Summary, Timeline, WindowFigures } from '@/lib/latency/state.ts'
import { strings } from '@/lib/strings/inspector.ts'
import type { LinkInfo } from '@/lib/transports/transport.ts'
import { linkText, watchedName } from '@/components/latency/words.ts'

export interface Seen {
  readonly id: string
  /** No two have the same. */
  readonly name: string
  readonly self: boolean
  readonly summary: Summary
}

interface Own {
  readonly id: string
  readonly name: string
}

/** @param numberOf By a window's id, what tells it from others of its name. */
export function seenOf(
  own: Own,
  state: LatencyState,
  timelines: readonly Timeline[],
  numberOf: (id: string) => string = () => '',
): readonly Seen[] {
  const others = state.elsewhere.map(({ id, name, device, sameBrowser, at: _at, ...summary }) => ({
    id,
    name: watchedName({ name, device, sameBrowser }) + numberOf(id),
    self: false,
    summary,
  }))
  const here = { id: own.id, name: own.name + numberOf(own.id), self: true, summary: { ...state, timelines } }
  return numbered([here, ...others])
}

/** Those that no list of windows has are told apart, too. */
function numbered(seen: readonly Seen[]): readonly Seen[] {
  const counts = new Map<string, number>()
  return seen.map((one) => {
    const count = (counts.get(one.name) ?? 0) + 1
    counts.set(one.name, count)
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` }
  })
}

/** As the others here call it, where it is one of them. */
export const nameAmong =
  (seen: readonly Seen[]) =>
  (window: WindowFigures): string =>
    seen.find(({ id }) => id === window.id)?.name ?? watchedName(window)

export type NameOf = ReturnType<typeof nameAmong>

/** In a chart, where windows are compared for their transports. */
export const lineName = ({ name }: Seen, link: LinkInfo | undefined): string =>
  link ? strings.windowBy(name, linkText(link)) : name

export interface Line<Point> {
  readonly name: string
  readonly points: readonly Point[]
}

/**
 * What was measured of a window, apart by the links it went by: the one in use first, though nothing was measured on it, then the
 * latest used. @param points Oldest first.
 */
export function linesOf<Point extends { readonly link?: LinkInfo }>(
  one: Seen,
  points: readonly Point[],
): readonly Line<Point>[] {
  const { link: inUse } = one.summary
  const latest = Map.groupBy(points.toReversed(), ({ link = inUse }) => lineName(one, link))
  const names = new Set([lineName(one, inUse), ...latest.keys()])
  return [...names].map((name) => ({ name, points: (latest.get(name) ?? []).toReversed() }))
}

/** Whose edits to look at first: the window that made most of them. This one where nobody made any. */
export function busiest(seen: readonly Seen[]): Seen | undefined {
  const edits = ({ summary: { own, earlier } }: Seen): number =>
    earlier.reduce((sum, one) => sum + one.edits, Math.max(own.ownPaint.count, own.sent.count))
  return seen.toSorted((a, b) => edits(b) - edits(a))[0]
}

/** As many of a window's edits as it keeps itself. */
const MOST = 200

/** Another window tells its latest few edits, again and again: all that were told are kept, each as it was told last. */
export class ToldEdits {
  readonly #windows = new Map<string, ReadonlyMap<number, Timeline>>()

  /** The same windows, with the edits that they told before. */
  with(seen: readonly Seen[]): readonly Seen[] {
    return seen.map((one) => (one.self ? one : { ...one, summary: this.#completed(one) }))
  }

  readonly forget = (): void => this.#windows.clear()

  #completed({ id, summary }: Seen): Summary {
    const known = new Map(this.#windows.get(id))
    for (const edit of summary.timelines) known.set(edit.edit, edit)
    const kept = [...known].toSorted(([a], [b]) => a - b).slice(-MOST)
    this.#windows.set(id, new Map(kept))
    return { ...summary, timelines: kept.map(([, edit]) => edit) }
  }
}
