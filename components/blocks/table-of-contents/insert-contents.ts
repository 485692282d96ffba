import type { Command } from '@tiptap/core'
import { TextSelection } from '@tiptap/pm/state'
import { tableOfContents } from '@/lib/blocks/table-of-contents/table-of-contents.ts'

/** In place of an empty line, else after the line with the caret, which goes on behind it. */
export const insertContents: Command = ({ state, tr }) => {
  const { $to } = tr.selection
  const isLine = $to.parent.isTextblock
  const end = isLine ? $to.after() : $to.pos
  const $end = tr.doc.resolve(end)
  const { parent } = $end
  const contents = state.schema.nodes[tableOfContents.name]!.create()
  const isEmptyLine = isLine && $to.parent.content.size === 0
  const takesPlace = isEmptyLine && parent.canReplaceWith($end.index() - 1, $end.index(), contents.type)
  if (!takesPlace && !parent.canReplaceWith($end.index(), $end.index(), contents.type)) return false
  const start = takesPlace ? $to.before() : end
  const { paragraph } = state.schema.nodes
  tr.replaceWith(start, end, $end.nodeAfter?.isTextblock ? contents : [contents, paragraph!.create()])
  tr.setSelection(TextSelection.create(tr.doc, start + contents.nodeSize + 1)).scrollIntoView()
  return true
}
