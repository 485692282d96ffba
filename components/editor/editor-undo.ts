/**
 * The window's undo as the editor's plugin knows one. The plugin believes that it owns its UndoManager: it destroys it with its view, and
 * Tiptap brings it to life again. This one gives up what was listened to and no more.
 */
import { Extension } from '@tiptap/core'
import type { StackItem } from '@/lib/undo/step.ts'
import type { Undo } from '@/lib/undo/undo.ts'

type Listener = (event: { readonly stackItem: StackItem }) => void

export class EditorUndo {
  readonly trackedOrigins = new Set<unknown>()
  readonly doc = { on() {}, off() {} }
  readonly afterTransactionHandler = () => {}
  readonly #undo: Undo
  readonly #listeners: [name: 'stack-item-added', listener: Listener][] = []

  constructor(undo: Undo) {
    this.#undo = undo
  }

  /** Of these two the plugin asks only whether they are empty. */
  get undoStack(): readonly StackItem[] {
    return listOf(this.#undo.next('undo'))
  }

  get redoStack(): readonly StackItem[] {
    return listOf(this.#undo.next('redo'))
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

  stopCapturing(): void {
    this.#undo.manager.stopCapturing()
  }

  destroy(): void {
    for (const [name, listener] of this.#listeners.splice(0)) this.#undo.manager.off(name, listener)
  }
}

const listOf = (item: StackItem | undefined): StackItem[] => (item ? [item] : [])

/** Has the toolbar look again: what another window did changes what there is to undo after the text has come. */
export const undoWatch = (undo: Undo) =>
  Extension.create({
    name: 'undoWatch',
    onCreate() {
      const { editor } = this
      let shown = ''
      const look = (): void => {
        const now = `${undo.next('undo') !== undefined} ${undo.next('redo') !== undefined}`
        if (now === shown || editor.isDestroyed) return
        shown = now
        editor.view.dispatch(editor.state.tr.setMeta('addToHistory', false))
      }
      // Not in the middle of the binding's own work.
      const stop = undo.subscribe(() => queueMicrotask(look))
      editor.on('destroy', stop)
    },
  })
