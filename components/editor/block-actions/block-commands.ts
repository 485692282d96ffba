/** What a person can do with blocks, as steps of their own undo. Each acts on the selected blocks, or on those at the caret. */
import type { Editor } from '@tiptap/core'
import { TextSelection, type Transaction } from '@tiptap/pm/state'
import type { ToolbarItem } from '@/components/blocks/editor-block.ts'
import { runAsStep } from '@/components/binding/run-as-step.ts'
import { type BlockRange, blockRangeOf } from './block-range.ts'
import { deleteBlocks, duplicateBlocks, moveBlocks, targetOfStep } from './edit-blocks.ts'

export type BlockAction = 'up' | 'down' | 'duplicate' | 'delete'

const directions = { up: -1, down: 1 } as const

export function canActOnBlocks({ state, isEditable }: Editor, action: BlockAction): boolean {
  const range = blockRangeOf(state.selection)
  if (!range || !isEditable) return false
  if (action === 'duplicate' || action === 'delete') return true
  return targetOfStep(state.doc, range, directions[action]) !== null
}

/** Returns whether there was anything to do. */
export function actOnBlocks(editor: Editor, action: BlockAction): boolean {
  if (!canActOnBlocks(editor, action)) return false
  const { doc } = editor.state
  const range = blockRangeOf(editor.state.selection)!
  dispatchAsStep(editor, (tr) => {
    if (action === 'duplicate') return duplicateBlocks(tr, range)
    if (action === 'delete') return deleteBlocks(tr, range)
    return moveBlocks(tr, range, targetOfStep(doc, range, directions[action])!)
  })
  return true
}

export const moveBlocksTo = (editor: Editor, range: BlockRange, target: number): void =>
  dispatchAsStep(editor, (tr) => moveBlocks(tr, range, target))

export function canTurnBlocksInto(
  { state: { doc, selection } }: Editor,
  { takesLine }: ToolbarItem,
): boolean {
  const range = blockRangeOf(selection)
  const letters = range && lettersIn(doc, range)
  return !takesLine || (letters !== null && takesLine(TextSelection.create(doc, letters.from, letters.to)))
}

/** Makes the selected blocks what the item of a menu makes. */
export function turnBlocksInto(editor: Editor, { run }: ToolbarItem): void {
  const { doc, selection } = editor.state
  const range = blockRangeOf(selection)
  if (!range) return
  const letters = lettersIn(doc, range)
  runAsStep(editor, () => run(letters ? editor.chain().setTextSelection(letters) : editor.chain()).run())
  // What is typed next takes nothing away.
  editor.commands.setTextSelection(editor.state.selection.to)
}

/** From the first letter to the last. */
function lettersIn(doc: Transaction['doc'], { from, to }: BlockRange): BlockRange | null {
  const ends: number[] = []
  doc.nodesBetween(from, to, (node, at) => {
    if (node.isTextblock) ends.push(at + 1, at + 1 + node.content.size)
  })
  return ends.length > 0 ? { from: ends[0]!, to: ends.at(-1)! } : null
}

const dispatchAsStep = (editor: Editor, change: (tr: Transaction) => Transaction): void =>
  runAsStep(editor, () => editor.view.dispatch(change(editor.state.tr).scrollIntoView()))
