/** What a person does by the handle of a block and by the menus that insert. */
import type { Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { editorBlocks } from '../../../components/blocks/blocks.ts'
import { type BlockRange, blocksAt } from '../../../components/editor/block-actions/block-range.ts'
import { BlockSelection } from '../../../components/editor/block-actions/block-selection.ts'
import {
  canMoveTo,
  duplicateBlocks,
  moveBlocks,
  targetOfStep,
} from '../../../components/editor/block-actions/edit-blocks.ts'
import { insertBlocks } from '../../../components/editor/paste/insert-blocks.ts'
import { type Act, type ActContext, placeCaret, placeIn, select, withNewLetters } from './act-context.ts'

/** Selects the block, or leaves the caret in it, as the handle and its keys find it. */
function pickBlock(context: ActContext): BlockRange | undefined {
  const { editor, choices } = context
  placeCaret(context)
  const { doc, selection } = editor.state
  const blocks = blocksAt(selection.$head)
  if (blocks.length === 0) return undefined
  const range = choices.pick(blocks)
  if (!selection.empty || choices.oneIn(2)) select(context, BlockSelection.of(doc, range))
  return range
}

export function onBlocks(
  change: (tr: Transaction, range: BlockRange, context: ActContext) => Transaction,
): Act {
  return (context) => {
    const range = pickBlock(context)
    const { editor } = context
    if (range) editor.dispatch(change(editor.state.tr, range, context))
  }
}

export function stepByHandle(context: ActContext): void {
  const range = pickBlock(context)
  const { editor, choices } = context
  const target = range && targetOfStep(editor.state.doc, range, choices.pick([-1, 1]))
  if (range && typeof target === 'number') editor.dispatch(moveBlocks(editor.state.tr, range, target))
}

export function moveByHandle(context: ActContext): void {
  const { editor, choices } = context
  const others = blocksAt(editor.state.doc.resolve(placeIn(editor.state, choices)))
  const range = pickBlock(context)
  if (!range || others.length === 0) return
  const { from, to } = choices.pick(others)
  const target = choices.pick([from, to])
  if (canMoveTo(editor.state.doc, range, target)) editor.dispatch(moveBlocks(editor.state.tr, range, target))
}

export function duplicateByHandle(context: ActContext): void {
  onBlocks((tr, range, { letters }) => {
    duplicateBlocks(tr, range)
    const end = range.to + range.to - range.from
    const copies = tr.doc.slice(range.to, end).content.content.map((node) => withNewLetters(node, letters))
    return tr.replaceWith(range.to, end, copies)
  })(context)
}

/** A dialog of the browser asks for a file. */
const itemsWithoutDialog = editorBlocks.flatMap(({ extension, menuItems }) =>
  extension.name === 'picture' || extension.name === 'fileCard' ? [] : (menuItems ?? []),
)

export function insertFromMenu({ editor, hands, choices }: ActContext): void {
  const { run } = choices.pick(itemsWithoutDialog)
  hands.runChain(editor, run)
}

export function insertFile({ editor, choices }: ActContext): void {
  const type = choices.pick(['picture', 'fileCard'])
  const block = { type, attrs: { file: 'AAAAAAAAAAAAAAAAAAAAAA' }, content: [{ type: 'caption' }] }
  insertBlocks(editor as unknown as EditorView, [block])
}

const mentions = [
  { kind: 'person', id: 'user:ada', label: 'Ada' },
  { kind: 'document', id: 'doc1', label: 'Plan' },
] as const

/** As the menu of `@` does, with a space behind it. */
export function insertMention({ editor, hands, choices }: ActContext): void {
  const attrs = choices.pick(mentions)
  hands.run(editor, (run) =>
    run.insertContent([
      { type: 'mention', attrs },
      { type: 'text', text: ' ' },
    ]),
  )
}
