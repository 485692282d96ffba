import type { Command } from '@tiptap/core'
import { definitionOf } from '@/lib/blocks/blocks.ts'
import { codeBlock } from '@/lib/blocks/code-block/code-block.ts'

/** Replaces what stands among the letters of the selected lines, as a date, by its letters: code holds nothing else. */
export const writeOutLeaves: Command = ({ tr, dispatch }) => {
  if (!dispatch) return true
  const steps = tr.steps.length
  const { $from, $to } = tr.selection
  const from = $from.depth > 0 ? $from.start() : $from.pos
  const to = $to.depth > 0 ? $to.end() : $to.pos
  tr.doc.nodesBetween(from, to, (node, at) => {
    const letters =
      node.isInline && node.isLeaf ? definitionOf(node.type.name)?.letters?.(node.attrs) : undefined
    const start = tr.mapping.slice(steps).map(at)
    if (letters) tr.replaceWith(start, start + node.nodeSize, tr.doc.type.schema.text(letters))
  })
  return true
}

/** Enter keeps the indentation of the line; on a line that has nothing else it takes that away. */
export const keepIndentation: Command = ({ state, tr }) => {
  const { $from, $to } = state.selection
  if ($from.parent.type.name !== codeBlock.name || !$to.sameParent($from)) return false
  const [line] = /[^\n]*$/.exec($from.parent.textBetween(0, $from.parentOffset))!
  const [indentation] = /^[ \t]*/.exec(line)!
  if (indentation === '') return false
  const isBlank = indentation === line
  tr.insertText(isBlank ? '\n' : `\n${indentation}`, $from.pos - (isBlank ? line.length : 0), $to.pos)
  tr.scrollIntoView()
  return true
}
