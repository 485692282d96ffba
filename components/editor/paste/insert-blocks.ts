import { Fragment, Slice } from '@tiptap/pm/model'
import { type Selection, TextSelection, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { caption } from '@/lib/blocks/caption/caption.ts'
import type { JsonNode } from '@/lib/blocks/json-node.ts'
import { replaceSelection } from './replace-selection.ts'

/**
 * Inserts whole blocks in place of a selection; below a picture or a card whose caption has it. Who types on there writes below them, and
 * who has gone elsewhere keeps the caret and the screen.
 */
export function insertBlocks(
  view: EditorView,
  blocks: readonly JsonNode[],
  selection: Selection = view.state.selection,
): void {
  const { state } = view
  const isElsewhere = !selection.eq(state.selection)
  const content = Fragment.from(blocks.map((block) => state.schema.nodeFromJSON(block)))
  const below = positionBelowCaption(selection)
  const tr =
    below === null
      ? replaceSelection(state, new Slice(content, 0, 0), selection)
      : state.tr.insert(below, content)
  placeCaretBelow(tr)
  if (isElsewhere) tr.setSelection(state.selection.map(tr.doc, tr.mapping))
  else tr.scrollIntoView()
  view.dispatch(tr.setMeta('paste', true).setMeta('uiEvent', 'paste'))
}

/** In what was left of a line that the blocks divide, or in an empty line, which is made where there is none. */
function placeCaretBelow(tr: Transaction): void {
  let end = 0
  tr.mapping.maps.at(-1)?.forEach((_from, _to, _newFrom, newTo) => (end = newTo))
  const $end = tr.doc.resolve(end)
  if (!$end.parent.isTextblock) {
    const { paragraph } = tr.doc.type.schema.nodes
    const isEmptyLine = $end.nodeAfter?.type === paragraph && $end.nodeAfter?.content.size === 0
    if (!isEmptyLine && $end.parent.canReplaceWith($end.index(), $end.index(), paragraph!))
      tr.insert(end, paragraph!.create())
  }
  tr.setSelection(TextSelection.near(tr.doc.resolve(end)))
}

/** Null for a caret that is in no caption. */
function positionBelowCaption({ $from }: Selection): number | null {
  return $from.parent.type.name === caption.name ? $from.after(-1) : null
}
