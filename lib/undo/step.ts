/** One step of undo: what an edit put in and took out, and what there is to say of it. As it stands on a stack, and as it travels. */
import * as Y from 'yjs'
import { lettersIn, type Ranges, rangesOf, setOf } from './ranges.ts'

export type StackItem = Y.UndoManager['undoStack'][number]

/** A key undoes where it is pressed: the title in its own field, everything else in the text. */
export type UndoTarget = 'text' | 'title'

interface About {
  /** Begins with the window's: two windows never give the same. */
  readonly id: string
  /** Who made it: the name that its window has among its neighbours. */
  readonly window: string
  /** Where it was made, in words: "Outline". '' for a text. */
  readonly where: string
  /** What it was, where that is more than letters: "12 replacements". */
  readonly label?: string
  /** When it was begun, in ms since 1970: what is done goes by it, and what is undone the other way round. */
  readonly at: number
  /** Absent where an older page of this browser made it. */
  readonly target?: UndoTarget
}

export interface Step extends About {
  readonly insertions: Ranges
  readonly deletions: Ranges
}

/** What a step did, in words of the text. Undefined: nothing that has letters. */
export interface What {
  readonly label?: string
  readonly typed?: string
  readonly deleted?: string
}

const key = Symbol('step')

export const aboutOf = (item: StackItem): About | undefined => item.meta.get(key) as About | undefined

export const targetOf = (item: StackItem): UndoTarget => aboutOf(item)?.target ?? 'text'

export const setAbout = (item: StackItem, about: About): void => void item.meta.set(key, about)

export function stepOf(item: StackItem): Step | null {
  const about = aboutOf(item)
  const { insertions, deletions } = item
  return about ? { ...about, insertions: rangesOf(insertions), deletions: rangesOf(deletions) } : null
}

export function itemOf({ insertions, deletions, ...about }: Step): StackItem {
  const item: StackItem = { insertions: setOf(insertions), deletions: setOf(deletions), meta: new Map() }
  setAbout(item, about)
  return item
}

const LONGEST = 40

/** @param item Before it is undone, or done again. */
export function whatOf(doc: Y.Doc, item: StackItem, direction: 'undo' | 'redo'): What {
  const { label } = aboutOf(item) ?? {}
  if (label) return { label }
  const { insertions, deletions } = item
  const there = shorten(lettersIn(doc, insertions, ({ deleted }) => !deleted))
  const gone = shorten(lettersIn(doc, deletions, ({ id }) => !Y.isDeleted(insertions, id)))
  const [typed, deleted] = direction === 'undo' ? [there, gone] : [gone, there]
  return { ...(typed && { typed }), ...(deleted && { deleted }) }
}

function shorten(text: string): string {
  const letters = Array.from(text.replaceAll(/\s+/g, ' ').trim())
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : letters.join('')
}
