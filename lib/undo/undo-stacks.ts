/**
 * Holds the steps that this window knows. Those it may undo lie on Yjs's own two stacks; other windows' steps lie beside them as long as
 * the setting keeps them apart. Knows the order and the window of steps; does not know what undoing does.
 */
import type * as Y from 'yjs'
import type { UndoScope } from '../desk/settings.ts'
import { type RedoneRange, withRedoneRanges } from './struct-ranges.ts'
import {
  detailsOf,
  type StackItem,
  type UndoStep,
  stepOf,
  undoTargetOf,
  type UndoTarget,
} from './undo-step.ts'

export type UndoDirection = 'undo' | 'redo'

interface StepStacks {
  done: StackItem[]
  undone: StackItem[]
}

/** A newcomer need not know the steps of the whole day. */
const MAX_SENT_STEPS = 200

export class UndoStacks {
  readonly #manager: Y.UndoManager
  readonly #window: string
  #scope: UndoScope = 'window'
  #otherWindows: StepStacks = { done: [], undone: [] }
  #latestTime = 0
  /** The steps that were there when Yjs began to take one off. */
  #poppedFrom: { readonly direction: UndoDirection; readonly items: readonly StackItem[] } | null = null

  /** @param window The id of this window's own steps. */
  constructor(manager: Y.UndoManager, window: string) {
    this.#manager = manager
    this.#window = window
  }

  get scope(): UndoScope {
    return this.#scope
  }

  /** Makes each step later than all known ones, whatever the clock says. In ms since 1970. */
  nextTime(): number {
    return (this.#latestTime = Math.max(Date.now(), this.#latestTime + 1))
  }

  stackOf(direction: UndoDirection): StackItem[] {
    return direction === 'undo' ? this.#manager.undoStack : this.#manager.redoStack
  }

  latestItem(direction: UndoDirection, target: UndoTarget): StackItem | undefined {
    return this.stackOf(direction).findLast((item) => undoTargetOf(item) === target)
  }

  /** Runs `pop` while the stack holds only the steps of `target`: Yjs goes past a step without effect to the one before it. */
  popOnly<Result>(direction: UndoDirection, target: UndoTarget, pop: () => Result): Result {
    const all = this.stackOf(direction)
    const ofTarget = all.filter((item) => undoTargetOf(item) === target)
    this.#setStack(direction, ofTarget)
    this.#poppedFrom = { direction, items: [...ofTarget] }
    try {
      return pop()
    } finally {
      this.#poppedFrom = null
      const remaining = new Set(ofTarget)
      this.#setStack(
        direction,
        all.filter((item) => undoTargetOf(item) !== target || remaining.has(item)),
      )
    }
  }

  /** The step that Yjs performs at this moment: the last one that it has taken off. */
  get performedItem(): StackItem | undefined {
    const from = this.#poppedFrom
    return from?.items[this.stackOf(from.direction).length]
  }

  #setStack(direction: UndoDirection, items: StackItem[]): void {
    if (direction === 'undo') this.#manager.undoStack = items
    else this.#manager.redoStack = items
  }

  findItem(id: string): StackItem | undefined {
    for (const stack of this.#allStacks) {
      // The latest step is looked for most.
      const found = stack.findLast((item) => detailsOf(item)?.id === id)
      if (found) return found
    }
    return undefined
  }

  /** Moves other windows' steps among this window's, or away from them. */
  setScope(scope: UndoScope): void {
    const { undoStack, redoStack } = this.#manager
    const done = byTime([...undoStack, ...this.#otherWindows.done])
    const undone = byTime([...redoStack, ...this.#otherWindows.undone]).toReversed()
    this.#scope = scope
    this.#manager.undoStack = done.filter(this.#isInScope)
    this.#manager.redoStack = undone.filter(this.#isInScope)
    const isOutOfScope = (item: StackItem): boolean => !this.#isInScope(item)
    this.#otherWindows = { done: done.filter(isOutOfScope), undone: undone.filter(isOutOfScope) }
  }

  addItem(item: StackItem, direction: UndoDirection): void {
    this.#latestTime = Math.max(this.#latestTime, detailsOf(item)?.at ?? 0)
    const otherStack = direction === 'undo' ? this.#otherWindows.done : this.#otherWindows.undone
    const stack = this.#isInScope(item) ? this.stackOf(direction) : otherStack
    stack.push(item)
    // What is typed next must be a step of its own, not the rest of another window's step.
    this.#manager.stopCapturing()
  }

  removeItem(id: string): void {
    for (const stack of this.#allStacks) {
      const index = stack.findIndex((item) => detailsOf(item)?.id === id)
      if (index >= 0) stack.splice(index, 1)
    }
  }

  moveToTop(item: StackItem, direction: UndoDirection): void {
    const stack = this.stackOf(direction)
    stack.push(...stack.splice(stack.indexOf(item), 1))
  }

  /** Drops the undone steps, since a window that goes on writing cannot redo them: all of them, or only those of `window`. */
  dropUndone(window: string): void {
    const isStillRedoable = (item: StackItem): boolean =>
      this.#scope === 'window' && detailsOf(item)?.window !== window
    if (this.#scope === 'all') this.#manager.clear(false, true)
    this.#otherWindows.undone = this.#otherWindows.undone.filter(isStillRedoable)
  }

  addRedoneRanges(redone: readonly RedoneRange[]): void {
    if (redone.length === 0) return
    for (const item of this.#allStacks.flat()) item.insertions = withRedoneRanges(item.insertions, redone)
  }

  /** The latest steps, in their order. */
  latestSteps(): { done: UndoStep[]; undone: UndoStep[] } {
    const { undoStack, redoStack } = this.#manager
    const steps = (items: StackItem[]): UndoStep[] =>
      items.slice(-MAX_SENT_STEPS).flatMap((item) => stepOf(item) ?? [])
    return {
      done: steps(byTime([...undoStack, ...this.#otherWindows.done])),
      undone: steps(byTime([...redoStack, ...this.#otherWindows.undone]).toReversed()),
    }
  }

  sort(): void {
    this.setScope(this.#scope)
  }

  #isInScope = (item: StackItem): boolean => this.#scope === 'all' || detailsOf(item)?.window === this.#window

  get #allStacks(): StackItem[][] {
    const { undoStack, redoStack } = this.#manager
    return [undoStack, redoStack, this.#otherWindows.done, this.#otherWindows.undone]
  }
}

const byTime = (items: readonly StackItem[]): StackItem[] =>
  items.toSorted((a, b) => (detailsOf(a)?.at ?? 0) - (detailsOf(b)?.at ?? 0))
