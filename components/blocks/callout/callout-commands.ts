import type { Command } from '@tiptap/core'
import type { ResolvedPos } from '@tiptap/pm/model'
import { type CalloutKind } from '@/lib/blocks/callout/callout-kinds.ts'
import { callout } from '@/lib/blocks/callout/callout.ts'

/** Changes the callout at the caret, or makes one of the selected blocks. */
export const setCalloutKind =
  (kind: CalloutKind): Command =>
  ({ state, tr, commands }) => {
    const at = calloutAround(state.selection.$from)
    if (at === null) return commands.wrapIn(callout.name, { kind })
    tr.setNodeAttribute(at, 'kind', kind)
    return true
  }

/** The position of the innermost one; null outside of callouts. */
function calloutAround($pos: ResolvedPos): number | null {
  for (let depth = $pos.depth; depth > 0; depth--)
    if ($pos.node(depth).type.name === callout.name) return $pos.before(depth)
  return null
}

/** Enter leaves a callout from its last line if that is empty. From another one it would split the callout in two. */
export const addLineWithin: Command = ({ state, commands }) => {
  const { $from, empty } = state.selection
  const isEmptyLine = empty && $from.parent.isTextblock && $from.parent.content.size === 0
  if (!isEmptyLine || $from.depth < 2 || $from.node(-1).type.name !== callout.name) return false
  const isLast = $from.index(-1) === $from.node(-1).childCount - 1
  return !isLast && commands.splitBlock()
}
