import { Fragment, Slice } from '@tiptap/pm/model'
import type { EditorState } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { caption } from '@/lib/blocks/caption/caption.ts'
import type { JsonNode } from '@/lib/blocks/json-node.ts'
import { replaceSelection } from './replace-selection.ts'

/** Inserts whole blocks at the caret; below a picture or a card whose caption has the caret. */
export function insertBlocks(view: EditorView, blocks: readonly JsonNode[]): void {
  const { state } = view
  const content = Fragment.from(blocks.map((block) => state.schema.nodeFromJSON(block)))
  const below = positionBelowCaption(state)
  const tr =
    below === null ? replaceSelection(state, new Slice(content, 0, 0)) : state.tr.insert(below, content)
  view.dispatch(tr.scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'))
}

/** Null for a caret that is in no caption. */
function positionBelowCaption({ selection: { $from } }: EditorState): number | null {
  return $from.parent.type.name === caption.name ? $from.after(-1) : null
}
