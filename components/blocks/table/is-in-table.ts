import type { ResolvedPos } from '@tiptap/pm/model'
import type { EditorState, Selection } from '@tiptap/pm/state'

export const isInTable = ({ selection }: EditorState): boolean => tableDepthOf(selection.$from) !== null

/** Whether cells are selected. The class of such a selection is loaded late. */
export const isOfCells = (selection: Selection): boolean => '$headCell' in selection

/** Null outside of all tables. The innermost one counts. */
export function tableDepthOf($pos: ResolvedPos): number | null {
  for (let depth = $pos.depth; depth > 0; depth--)
    if ($pos.node(depth).type.spec.tableRole === 'table') return depth
  return null
}
