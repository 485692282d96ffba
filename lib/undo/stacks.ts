/**
 * The steps that this window knows: those it may undo lie on Yjs's own two stacks, other windows' beside them as long as the setting
 * keeps them apart. Knows order and whose a step is; does not know what undoing does.
 */
import type * as Y from 'yjs'
import type { UndoScope } from '../desk/settings.ts'
import { type Redone, translated } from './ranges.ts'
import { aboutOf, type StackItem, type Step, stepOf, targetOf, type UndoTarget } from './step.ts'

export type Direction = 'undo' | 'redo'

interface Sides {
  done: StackItem[]
  undone: StackItem[]
}

/** A newcomer need not know the whole day. */
const MOST_KNOWN = 200

export class Stacks {
  readonly #manager: Y.UndoManager
  readonly #window: string
  #scope: UndoScope = 'window'
  #others: Sides = { done: [], undone: [] }
  #latest = 0

  /** @param window Whose steps are this window's own. */
  constructor(manager: Y.UndoManager, window: string) {
    this.#manager = manager
    this.#window = window
  }

  get scope(): UndoScope {
    return this.#scope
  }

  /** Each step is later than all that are known, whatever the clock says. In ms since 1970. */
  nextTime(): number {
    return (this.#latest = Math.max(Date.now(), this.#latest + 1))
  }

  of(direction: Direction): StackItem[] {
    return direction === 'undo' ? this.#manager.undoStack : this.#manager.redoStack
  }

  latest(direction: Direction, target: UndoTarget): StackItem | undefined {
    return this.of(direction).findLast((item) => targetOf(item) === target)
  }

  /** Yjs goes past a step without effect to the one before it: while `pop` runs it finds only those of `target`. */
  popOnly<Answer>(direction: Direction, target: UndoTarget, pop: () => Answer): Answer {
    const all = this.of(direction)
    const left = all.filter((item) => targetOf(item) === target)
    this.#set(direction, left)
    try {
      return pop()
    } finally {
      const isLeft = new Set(left)
      this.#set(
        direction,
        all.filter((item) => targetOf(item) !== target || isLeft.has(item)),
      )
    }
  }

  #set(direction: Direction, items: StackItem[]): void {
    if (direction === 'undo') this.#manager.undoStack = items
    else this.#manager.redoStack = items
  }

  find(id: string): StackItem | undefined {
    for (const stack of this.#all) {
      // The latest is asked for most.
      const found = stack.findLast((item) => aboutOf(item)?.id === id)
      if (found) return found
    }
    return undefined
  }

  /** Other windows' steps come among this window's, or leave it. */
  setScope(scope: UndoScope): void {
    const { undoStack, redoStack } = this.#manager
    const done = byTime([...undoStack, ...this.#others.done])
    const undone = byTime([...redoStack, ...this.#others.undone]).toReversed()
    this.#scope = scope
    this.#manager.undoStack = done.filter(this.#isOurs)
    this.#manager.redoStack = undone.filter(this.#isOurs)
    const isNot = (item: StackItem): boolean => !this.#isOurs(item)
    this.#others = { done: done.filter(isNot), undone: undone.filter(isNot) }
  }

  put(item: StackItem, direction: Direction): void {
    this.#latest = Math.max(this.#latest, aboutOf(item)?.at ?? 0)
    const others = direction === 'undo' ? this.#others.done : this.#others.undone
    const stack = this.#isOurs(item) ? this.of(direction) : others
    stack.push(item)
    // What is typed next is a step of its own, not the rest of somebody else's.
    this.#manager.stopCapturing()
  }

  take(id: string): void {
    for (const stack of this.#all) {
      const index = stack.findIndex((item) => aboutOf(item)?.id === id)
      if (index >= 0) stack.splice(index, 1)
    }
  }

  raise(item: StackItem, direction: Direction): void {
    const stack = this.of(direction)
    stack.push(...stack.splice(stack.indexOf(item), 1))
  }

  /** Whoever goes on writing cannot do again what was undone: nobody's, or not what was theirs. */
  dropUndone(window: string): void {
    const isLeft = (item: StackItem): boolean => this.#scope === 'window' && aboutOf(item)?.window !== window
    if (this.#scope === 'all') this.#manager.clear(false, true)
    this.#others.undone = this.#others.undone.filter(isLeft)
  }

  translate(redone: readonly Redone[]): void {
    if (redone.length === 0) return
    for (const item of this.#all.flat()) item.insertions = translated(item.insertions, redone)
  }

  /** The latest, in their order. */
  known(): { done: Step[]; undone: Step[] } {
    const { undoStack, redoStack } = this.#manager
    const steps = (items: StackItem[]): Step[] =>
      items.slice(-MOST_KNOWN).flatMap((item) => stepOf(item) ?? [])
    return {
      done: steps(byTime([...undoStack, ...this.#others.done])),
      undone: steps(byTime([...redoStack, ...this.#others.undone]).toReversed()),
    }
  }

  sort(): void {
    this.setScope(this.#scope)
  }

  #isOurs = (item: StackItem): boolean => this.#scope === 'all' || aboutOf(item)?.window === this.#window

  get #all(): StackItem[][] {
    const { undoStack, redoStack } = this.#manager
    return [undoStack, redoStack, this.#others.done, this.#others.undone]
  }
}

const byTime = (items: readonly StackItem[]): StackItem[] =>
  items.toSorted((a, b) => (aboutOf(a)?.at ?? 0) - (aboutOf(b)?.at ?? 0))
