import type { Slice } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'

/**
 * ProseMirror throws where a selection goes from within one block, as a toggle's line, into another one, and some slices are to stand for it:
 * what is selected is deleted first then.
 */
export function replaceSelection(state: EditorState, slice: Slice): Transaction {
  try {
    return state.tr.replaceSelection(slice)
  } catch {
    return state.tr.deleteSelection().replaceSelection(slice)
  }
}
