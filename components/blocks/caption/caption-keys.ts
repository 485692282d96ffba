/** Keys at the ends of a caption: they never join it with what is around its block. */
import type { Command } from '@tiptap/core'
import type { Node, ResolvedPos } from '@tiptap/pm/model'
import { NodeSelection, type Selection, TextSelection } from '@tiptap/pm/state'
import { caption } from '@/lib/blocks/caption/caption.ts'

const isCaption = ({ type }: Node): boolean => type.name === caption.name

/** The caret's place if it is in a caption. */
function caretIn({ $from, $to }: Selection): ResolvedPos | null {
  return isCaption($from.parent) && $to.sameParent($from) ? $from : null
}

/** Enter: a new line below the block, which gets what stands behind the caret. */
export const leaveCaption: Command = ({ state, tr }) => {
  const $caret = caretIn(state.selection)
  if (!$caret) return false
  const { $to } = state.selection
  const rest = $caret.parent.slice($to.parentOffset).content
  tr.delete($caret.pos, $caret.end())
  const below = tr.mapping.map($caret.after(-1))
  tr.insert(below, state.schema.nodes.paragraph!.create(null, rest))
  tr.setSelection(TextSelection.create(tr.doc, below + 1)).scrollIntoView()
  return true
}

/** Backspace at the beginning selects the block; once more deletes it. */
export const selectBlockOfCaption: Command = ({ state, tr }) => {
  const $caret = caretIn(state.selection)
  if (!$caret || !state.selection.empty || $caret.parentOffset > 0) return false
  tr.setSelection(NodeSelection.create(tr.doc, $caret.before(-1)))
  return true
}

/** Delete at the end: a browser would take the next line into the caption. */
export const stayInCaption: Command = ({ state }) => {
  const $caret = caretIn(state.selection)
  return $caret !== null && state.selection.empty && $caret.pos === $caret.end()
}
