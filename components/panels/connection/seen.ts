/** The windows of this person that show the document, each with what it measured itself: this one, and those that tell. */
import type { LatencyState, Summary, Timeline } from '@/lib/latency/state.ts'
import { linkLabel } from '@/components/connection/words.ts'
import { watchedName } from '@/components/latency/words.ts'

export interface Seen {
  readonly id: string
  /** No two have the same. */
  readonly name: string
  /** The transport it uses, in a word; '' while it has none. */
  readonly transport: string
  readonly self: boolean
  readonly summary: Summary
}

interface Own {
  readonly id: string
  readonly name: string
}

export function seenOf(own: Own, state: LatencyState, timelines: readonly Timeline[]): readonly Seen[] {
  const others = state.elsewhere.map(({ id, name, device, sameBrowser, ...summary }) => ({
    id,
    name: watchedName({ name, device, sameBrowser }),
    transport: transportOf(summary),
    self: false,
    summary,
  }))
  const here = { ...own, transport: transportOf(state), self: true, summary: { ...state, timelines } }
  return numbered([here, ...others])
}

const transportOf = ({ link }: Pick<Summary, 'link'>): string =>
  link ? linkLabel({ state: 'up', info: link }) : ''

/** Two outlines are told apart. */
function numbered(seen: readonly Seen[]): readonly Seen[] {
  const counts = new Map<string, number>()
  return seen.map((one) => {
    const count = (counts.get(one.name) ?? 0) + 1
    counts.set(one.name, count)
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` }
  })
}

/** In a chart, where windows are compared for their transports. */
export const lineName = ({ name, transport }: Seen): string => (transport ? `${name}, ${transport}` : name)

/** Whose edits to look at first: the window that made most of them. This one where nobody made any. */
export function busiest(seen: readonly Seen[]): Seen | undefined {
  const edits = ({ summary: { own } }: Seen): number => own.ownPaint.count + own.sent.count
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
