/**
 * Counts the transactions that may change what buttons and menus show of an editor: where the selection is, what it is in, and what can be
 * done there. Letters that are typed change none of it, and neither do those of others. So a key asks nothing of a toolbar.
 */
import { type Editor, Extension } from '@tiptap/core'
import { Mark } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from '@tiptap/pm/state'
import { ReplaceStep } from '@tiptap/pm/transform'
import { Subscribable } from '@/lib/subscribable.ts'
import { isStructuralEdit } from './letter-edits.ts'

const key = new PluginKey<number>('formatChanges')

const listenersOf = new WeakMap<Editor, Subscribable>()

/** It works for an editor that has ended as well. */
export function formatChangesOf(editor: Editor): Subscribable {
  const listeners = listenersOf.get(editor) ?? new Subscribable()
  listenersOf.set(editor, listeners)
  return listeners
}

export const formatChangeCount = (state: EditorState): number => key.getState(state) ?? 0

export const FormatChanges = Extension.create({
  name: 'formatChanges',
  addProseMirrorPlugins() {
    const listeners = formatChangesOf(this.editor)
    return [
      new Plugin<number>({
        key,
        state: {
          init: () => 0,
          apply: (transaction, count, before, after) =>
            writesLetters(transaction, before, after) ? count : count + 1,
        },
        view: () => ({
          update(view, before) {
            if (formatChangeCount(view.state) !== formatChangeCount(before)) listeners.notify()
          },
        }),
      }),
    ]
  },
})

/** Whether all that changes is letters within blocks, and the caret stays between those that it was between. */
function writesLetters(transaction: Transaction, before: EditorState, after: EditorState): boolean {
  return (
    transaction.docChanged &&
    transaction.steps.every((step) => step instanceof ReplaceStep) &&
    isCaret(before) &&
    isCaret(after) &&
    transaction.mapping.map(before.selection.head) === after.selection.head &&
    Mark.sameSet(marksAtCaret(before), marksAtCaret(after)) &&
    !isStructuralEdit(transaction)
  )
}

const isCaret = ({ selection }: EditorState): boolean => selection.empty && selection instanceof TextSelection

const marksAtCaret = ({ storedMarks, selection }: EditorState): readonly Mark[] =>
  storedMarks ?? selection.$head.marks()
