/**
 * Shows the window's undo to the editor's plugin as an UndoManager. The plugin believes that it owns its UndoManager: it destroys it with
 * its view, and Tiptap revives it. This adapter only removes the listeners.
 */
import { Extension } from '@tiptap/core'
import type { StackItem } from '@/lib/undo/undo-step.ts'
import type { Undo } from '@/lib/undo/undo.ts'

type Listener = (event: { readonly stackItem: StackItem }) => void

export class UndoManagerAdapter {
  readonly trackedOrigins = new Set<unknown>()
  readonly doc = { on() {}, off() {} }
  readonly afterTransactionHandler = () => {}
  readonly #undo: Undo
  readonly #listeners: [name: 'stack-item-added', listener: Listener][] = []

  constructor(undo: Undo) {
    this.#undo = undo
  }

  /** The plugin only checks whether these two are empty. */
  get undoStack(): readonly StackItem[] {
    return stackOf(this.#undo.nextItem('undo'))
  }

  get redoStack(): readonly StackItem[] {
    return stackOf(this.#undo.nextItem('redo'))
  }

  on(name: 'stack-item-added', listener: Listener): void {
    this.#listeners.push([name, listener])
    this.#undo.manager.on(name, listener)
  }

  undo(): void {
    this.#undo.undo()
  }

  redo(): void {
    this.#undo.redo()
  }

  /**
   * Does nothing. The plugin calls it whenever the editor is drawn again after a remote edit, for example for a comment's mark or another
   * person's caret: an undo would take back a few letters only. Where a step ends is decided by `Undo` alone.
   */
  stopCapturing(): void {}

  destroy(): void {
    for (const [name, listener] of this.#listeners.splice(0)) this.#undo.manager.off(name, listener)
  }
}

const stackOf = (item: StackItem | undefined): StackItem[] => (item ? [item] : [])

/** Updates the toolbar when the undo steps change: an edit of another window may change them after its text has arrived. */
export const undoStateUpdates = (undo: Undo) =>
  Extension.create({
    name: 'undoWatch',
    onCreate() {
      const { editor } = this
      let shownState = ''
      const updateToolbar = (): void => {
        const currentState = `${undo.nextItem('undo') !== undefined} ${undo.nextItem('redo') !== undefined}`
        if (currentState === shownState || editor.isDestroyed) return
        shownState = currentState
        editor.view.dispatch(editor.state.tr)
      }
      // Not within the binding's own work.
      const stop = undo.subscribe(() => queueMicrotask(updateToolbar))
      editor.on('destroy', stop)
    },
  })
