/** Undo of the document as commands and keys of the editor. An undo brings back the selection that was there before the edit. */
import { Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import type { StackItem } from '@/lib/undo/undo-step.ts'
import type { Undo } from '@/lib/undo/undo.ts'
import { isDrawn, textBindingOf } from './text-binding.ts'
import { continueTyping, type TypedRange, typedRangeOf } from './typed-range.ts'

/** Set on a transaction that ends what the one before it began, however long that took: one step takes both back. */
export const JOINS_UNDO_STEP = 'joinsUndoStep'

/** Set on a transaction that goes on with an earlier step (`Undo.growStep`). What is typed before it and after it is one step as ever. */
export const GROWS_UNDO_STEP = 'growsUndoStep'

const sharedUndoKey = new PluginKey<TypedRange | null>('sharedUndo')

export const undoOf = (state: EditorState): Undo | null =>
  (sharedUndoKey.get(state)?.spec['undo'] as Undo | undefined) ?? null

interface SharedUndoStorage {
  readonly undo: Undo | null
}

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    sharedUndo: {
      undo: () => ReturnType
      redo: () => ReturnType
    }
  }
  interface Storage {
    sharedUndo: SharedUndoStorage
  }
}

export const SharedUndo = Extension.create<{ undo: Undo | null }, SharedUndoStorage>({
  name: 'sharedUndo',
  priority: 1_000,
  addOptions: () => ({ undo: null }),
  addStorage() {
    return { undo: this.options.undo }
  },
  addCommands() {
    const run = (direction: 'undo' | 'redo') => () => {
      const { undo } = this.options
      return ({
        tr,
        dispatch,
      }: {
        tr: { setMeta(key: string, value: true): unknown }
        dispatch: unknown
      }) => {
        tr.setMeta('preventDispatch', true)
        if (!undo?.nextItem(direction)) return false
        if (dispatch) undo[direction]()
        return true
      }
    }
    return { undo: run('undo'), redo: run('redo') }
  },
  addKeyboardShortcuts() {
    return {
      'Mod-z': () => this.editor.commands.undo(),
      'Mod-y': () => this.editor.commands.redo(),
      'Shift-Mod-z': () => this.editor.commands.redo(),
    }
  },
  addProseMirrorPlugins() {
    const { undo } = this.options
    if (!undo) return []
    return [
      new Plugin({
        key: sharedUndoKey,
        undo,
        props: {
          handleDOMEvents: {
            // What a button does to the text is a step of its own, however soon after a letter.
            blur: () => undo.manager.stopCapturing(),
          },
        },
        state: {
          init: (): TypedRange | null => null,
          apply(transaction, typed) {
            const isOfPerson =
              !isDrawn(transaction) && transaction.getMeta('appendedTransaction') === undefined
            const isOfEarlierStep = transaction.getMeta(GROWS_UNDO_STEP) === true
            if (!transaction.docChanged || !isOfPerson || isOfEarlierStep)
              return typed && mapRange(typed, transaction)
            if (transaction.getMeta(JOINS_UNDO_STEP) === true) {
              undo.manager.lastChange = Date.now()
              return null
            }
            const continued = continueTyping(transaction, typed)
            if (continued) return continued
            undo.manager.stopCapturing()
            return typedRangeOf(transaction)
          },
        },
        view(view) {
          const binding = textBindingOf(view.state)!
          const keepSelection = ({ stackItem }: { readonly stackItem: StackItem }): void =>
            void stackItem.meta.set(binding, binding.selectionBefore)
          const stopUpdates = updateOnUndo(undo, () => !view.isDestroyed && view.dispatch(view.state.tr))
          undo.manager.on('stack-item-added', keepSelection)
          return {
            destroy() {
              stopUpdates()
              undo.manager.off('stack-item-added', keepSelection)
            },
          }
        },
      }),
    ]
  },
})

const mapRange = ({ from, to }: TypedRange, { mapping }: Transaction): TypedRange => ({
  from: mapping.map(from, -1),
  to: mapping.map(to, 1),
})

/** Updates the toolbar when the undo steps change: an edit of another window may change them after its text has arrived. */
function updateOnUndo(undo: Undo, update: () => void): () => void {
  let shownState = ''
  const updateIfChanged = (): void => {
    const currentState = `${undo.nextItem('undo') !== undefined} ${undo.nextItem('redo') !== undefined}`
    if (currentState === shownState) return
    shownState = currentState
    update()
  }
  // Not within the binding's own work.
  return undo.subscribe(() => queueMicrotask(updateIfChanged))
}
