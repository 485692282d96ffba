/** What keys and the button do with a toggle. Each returns false where it has nothing to do. */
import type { Command } from '@tiptap/core'
import { Fragment, type Node, type ResolvedPos } from '@tiptap/pm/model'
import { Selection, TextSelection, type Transaction } from '@tiptap/pm/state'
import { toggle, toggleSummary } from '@/lib/blocks/toggle/toggle.ts'

interface FoundToggle {
  readonly node: Node
  readonly at: number
  readonly depth: number
}

/** The innermost toggle around a position; null outside of toggles. */
export function toggleAround($pos: ResolvedPos): FoundToggle | null {
  for (let depth = $pos.depth; depth > 0; depth--) {
    const node = $pos.node(depth)
    if (node.type.name === toggle.name) return { node, at: $pos.before(depth), depth }
  }
  return null
}

const isSummary = ({ type }: Node): boolean => type.name === toggleSummary.name

const isEmptyParagraph = (node: Node | null | undefined): boolean =>
  node?.type.name === 'paragraph' && node.content.size === 0

/** Makes a toggle of the selected blocks, the first line being its summary; or takes the one at the caret away. */
export const toggleBlocks: Command = ({ state, tr }) => {
  const { $from, $to } = tr.selection
  const around = toggleAround($from)
  if (around) return unwrap(tr, around)
  const range = $from.blockRange($to)
  if (!range) return false
  const { schema } = state
  const blocks = range.parent.content.content.slice(range.startIndex, range.endIndex)
  const [first] = blocks
  const hasLine = first?.isTextblock === true && !first.type.spec.code
  const summary = schema.nodes.toggleSummary!.create(null, hasLine ? first.content : null)
  const rest = hasLine ? blocks.slice(1) : blocks
  const content = rest.length > 0 ? rest : [schema.nodes.paragraph!.create()]
  const made = schema.nodes.toggle!.create(null, [summary, ...content])
  if (!range.parent.canReplaceWith(range.startIndex, range.endIndex, made.type)) return false
  const offset = hasLine && $from.parent === first ? $from.parentOffset : 0
  tr.replaceWith(range.start, range.end, made)
  tr.setSelection(TextSelection.create(tr.doc, range.start + 2 + offset)).scrollIntoView()
  return true
}

/** The summary becomes a line of its own. */
function unwrap(tr: Transaction, { node, at }: FoundToggle): boolean {
  const { $from } = tr.selection
  const $toggle = tr.doc.resolve(at)
  const [summary, ...content] = node.content.content
  const line = node.type.schema.nodes.paragraph!.create(null, summary!.content)
  const blocks = Fragment.from([line, ...content])
  const index = $toggle.index()
  if (!$toggle.parent.canReplace(index, index + 1, blocks)) return false
  // The toggle's own start is gone.
  const caret = $from.pos - 1
  tr.replaceWith(at, at + node.nodeSize, blocks)
  tr.setSelection(Selection.near(tr.doc.resolve(caret)))
  return true
}

/** Enter in the summary: what stands behind the caret goes into the content. */
export const enterContent: Command = ({ state, tr }) => {
  const { $from, $to } = state.selection
  if (!isSummary($from.parent) || !$to.sameParent($from)) return false
  const rest = $from.parent.slice($to.parentOffset).content
  const end = $from.end()
  tr.delete($from.pos, end)
  const start = tr.mapping.map(end) + 1
  if (rest.size > 0 || !isEmptyParagraph(tr.doc.nodeAt(start)))
    tr.insert(start, state.schema.nodes.paragraph!.create(null, rest))
  tr.setSelection(TextSelection.create(tr.doc, start + 1)).scrollIntoView()
  return true
}

/** Enter on an empty last line leaves the toggle. */
export const leaveContent: Command = ({ state, tr }) => {
  const { $from, empty } = state.selection
  const around = toggleAround($from)
  if (!empty || !around || $from.depth !== around.depth + 1 || !isEmptyParagraph($from.parent)) return false
  const { node, at, depth } = around
  if ($from.index(depth) !== node.childCount - 1) return false
  const $after = state.doc.resolve(at + node.nodeSize)
  const line = state.schema.nodes.paragraph!.create()
  if (!$after.parent.canReplaceWith($after.index(), $after.index(), line.type)) return false
  tr.insert($after.pos, line)
  tr.setSelection(TextSelection.create(tr.doc, $after.pos + 1))
  // The content keeps one line.
  if (node.childCount > 2) tr.delete($from.before(), $from.after())
  tr.scrollIntoView()
  return true
}

/** Backspace at the beginning of the summary takes the toggle away; at the beginning of its only other line it goes to the summary. */
export const leaveSummary: Command = ({ state, tr }) => {
  const { $from, empty } = state.selection
  const around = toggleAround($from)
  if (!empty || !around || $from.parentOffset > 0 || $from.depth !== around.depth + 1) return false
  const { node, at, depth } = around
  if (isSummary($from.parent)) return unwrap(tr, around)
  if ($from.index(depth) !== 1 || node.childCount > 2 || $from.parent.type.name !== 'paragraph') return false
  const summaryEnd = at + node.firstChild!.nodeSize
  tr.delete($from.start(), $from.end())
  tr.insert(summaryEnd, $from.parent.content)
  tr.setSelection(TextSelection.create(tr.doc, summaryEnd))
  return true
}
