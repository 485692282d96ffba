/** Threads with their places in the text as it is now, in its order. */
import type * as Y from 'yjs'
import { isBefore, type LinePlace, linesOf, type Stretch } from '../text/lines.ts'
import { treeOf, watchTree } from '../text/tree.ts'
import { locate } from './anchor.ts'
import type { Thread } from './thread.ts'
import { threadsIn } from './threads.ts'

export interface Placed {
  readonly thread: Thread
  /** Null where the text it spoke of is gone. */
  readonly stretch: Stretch | null
}

const none: readonly Placed[] = []

/** How long after a change of the text the places are read again, in ms: a list need not keep up with each key. */
const AGAIN_MS = 150

const soon = (run: () => void): (() => void) => {
  const timer = setTimeout(run, AGAIN_MS)
  return () => clearTimeout(timer)
}

export class PlacedThreads {
  readonly #comments: Y.Doc
  readonly #text: Y.XmlFragment
  #from: readonly unknown[] = []
  #placed: readonly Placed[] = []

  constructor(comments: Y.Doc, text: Y.XmlFragment) {
    this.#comments = comments
    this.#text = text
  }

  /** Those whose text is gone come last, the oldest first. The same array, and the same entries, until something changes. */
  get = (): readonly Placed[] => {
    const threads = threadsIn(this.#comments).get()
    if (threads.length === 0) return none
    const tree = treeOf(this.#text)
    if (this.#from[0] === threads && this.#from[1] === tree) return this.#placed
    this.#from = [threads, tree]
    const lines = linesOf(tree)
    const before = new Map(this.#placed.map((placed) => [placed.thread, placed]))
    const placed = threads
      .map((thread) => ({ thread, stretch: locate(this.#text, lines, thread.anchor) }))
      .map((fresh) => unchanged(before.get(fresh.thread), fresh) ?? fresh)
      .toSorted(byPlace)
    return (this.#placed = isEqual(placed, this.#placed) ? this.#placed : placed)
  }

  /** Of threads at once; of the text soon. */
  subscribe = (listener: () => void): (() => void) => {
    const undos = [threadsIn(this.#comments).subscribe(listener), watchTree(this.#text, listener, soon)]
    return () => undos.forEach((undo) => undo())
  }
}

function unchanged(before: Placed | undefined, { stretch }: Placed): Placed | null {
  if (!before) return null
  if (before.stretch === null || stretch === null) return before.stretch === stretch ? before : null
  return isSame(before.stretch.from, stretch.from) && isSame(before.stretch.to, stretch.to) ? before : null
}

const isSame = (a: LinePlace, b: LinePlace): boolean => a.line === b.line && a.offset === b.offset

const isEqual = (a: readonly Placed[], b: readonly Placed[]): boolean =>
  a.length === b.length && a.every((placed, index) => placed === b[index])

function byPlace(a: Placed, b: Placed): number {
  if (!a.stretch || !b.stretch) return Number(!a.stretch) - Number(!b.stretch) || byTime(a, b)
  if (isBefore(a.stretch.from, b.stretch.from)) return -1
  return isBefore(b.stretch.from, a.stretch.from) ? 1 : byTime(a, b)
}

const byTime = (a: Placed, b: Placed): number => a.thread.messages[0]!.at - b.thread.messages[0]!.at
