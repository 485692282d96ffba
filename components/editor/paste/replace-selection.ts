import type { Slice } from '@tiptap/pm/model'
import { type EditorState, Selection, type Transaction } from '@tiptap/pm/state'

/**
 * ProseMirror throws where a selection goes from within one block, as a toggle's line, into another one, and some slices are to stand for it.
 * It cannot delete such a selection either: the slice is put behind it then.
 */
export function replaceSelection(
  state: EditorState,
  slice: Slice,
  selection: Selection = state.selection,
): Transaction {
  try {
    return state.tr.setSelection(selection).replaceSelection(slice)
  } catch {
    return state.tr.setSelection(Selection.near(selection.$to, -1)).replaceSelection(slice)
  }
}
