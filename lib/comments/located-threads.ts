/** Lists threads with their places in the present text, in its order. */
import { runLater } from '../run-later.ts'
import type * as Y from 'yjs'
import { isBefore, type LinePosition, linesOf, type LineRange } from '../text/lines.ts'
import { treeOf, watchTree } from '../text/tree.ts'
import { locateAnchor } from './anchor.ts'
import type { Thread } from './stored-thread.ts'
import { threadStoreOf } from './thread-store.ts'

export interface LocatedThread {
  readonly thread: Thread
  /** Null where the text it refers to is gone. */
  readonly range: LineRange | null
}

const noThreads: readonly LocatedThread[] = []

/** How long after a change of the text the places are read again, in ms: a list need not keep up with each key. */
const LOCATE_DELAY_MS = 150

const scheduleLocate = (run: () => void): (() => void) => runLater(LOCATE_DELAY_MS, run)

export class LocatedThreads {
  readonly #comments: Y.Doc
  readonly #text: Y.XmlFragment
  #sources: readonly unknown[] = []
  #located: readonly LocatedThread[] = []

  constructor(comments: Y.Doc, text: Y.XmlFragment) {
    this.#comments = comments
    this.#text = text
  }

  /** Threads whose text is gone come last, the oldest first. Returns the same array, with the same entries, until something changes. */
  get = (): readonly LocatedThread[] => {
    const threads = threadStoreOf(this.#comments).get()
    if (threads.length === 0) return noThreads
    const tree = treeOf(this.#text)
    if (this.#sources[0] === threads && this.#sources[1] === tree) return this.#located
    this.#sources = [threads, tree]
    const lines = linesOf(tree)
    const before = new Map(this.#located.map((placed) => [placed.thread, placed]))
    const located = threads
      .map((thread) => ({ thread, range: locateAnchor(this.#text, lines, thread.anchor) }))
      .map((current) => reuseUnchanged(before.get(current.thread), current) ?? current)
      .toSorted(compareByPosition)
    return (this.#located = areSameEntries(located, this.#located) ? this.#located : located)
  }

  /** Calls `listener` at once for changes of threads, soon for changes of the text. */
  subscribe = (listener: () => void): (() => void) => {
    const undos = [
      threadStoreOf(this.#comments).subscribe(listener),
      watchTree(this.#text, listener, scheduleLocate),
    ]
    return () => undos.forEach((undo) => undo())
  }
}

function reuseUnchanged(before: LocatedThread | undefined, { range }: LocatedThread): LocatedThread | null {
  if (!before) return null
  if (before.range === null || range === null) return before.range === range ? before : null
  return isSamePosition(before.range.from, range.from) && isSamePosition(before.range.to, range.to)
    ? before
    : null
}

const isSamePosition = (a: LinePosition, b: LinePosition): boolean =>
  a.line === b.line && a.offset === b.offset

const areSameEntries = (a: readonly LocatedThread[], b: readonly LocatedThread[]): boolean =>
  a.length === b.length && a.every((placed, index) => placed === b[index])

function compareByPosition(a: LocatedThread, b: LocatedThread): number {
  if (!a.range || !b.range) return Number(!a.range) - Number(!b.range) || compareByTime(a, b)
  if (isBefore(a.range.from, b.range.from)) return -1
  return isBefore(b.range.from, a.range.from) ? 1 : compareByTime(a, b)
}

const compareByTime = (a: LocatedThread, b: LocatedThread): number =>
  a.thread.messages[0]!.at - b.thread.messages[0]!.at
