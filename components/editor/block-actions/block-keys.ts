/**
 * The keys that act on whole blocks. Escape selects the block at the caret; arrows go to its neighbours, its parent and what is within it,
 * Shift with them selects more, and Enter opens the menu. Escape again, or a letter, returns to where the caret was.
 */
import type { Editor } from '@tiptap/core'
import {
  type EditorState,
  Plugin,
  PluginKey,
  Selection,
  TextSelection,
  type Transaction,
} from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import { matchesShortcut } from '@/components/commands/command-keys.ts'
import { blockActionKeys, boundBlockActions } from './block-action-keys.ts'
import { actOnBlocks } from './block-commands.ts'
import { blockAround, type BlockRange, blockRangeOf, blockWithin, siblingOf } from './block-range.ts'
import { BlockSelection } from './block-selection.ts'

export const blockKeysKey = new PluginKey('blockKeys')

const selectedBlock = { class: 'selected-block' }

/** @param openMenu Opens the menu of the selected blocks. */
export const blockKeysPlugin = (editor: Editor, openMenu: () => void): Plugin =>
  new Plugin({
    key: blockKeysKey,
    props: {
      handleKeyDown(view, event) {
        const action = boundBlockActions.find((one) => matchesShortcut(event, blockActionKeys[one]))
        if (action) return actOnBlocks(editor, action)
        const { state } = view
        if (state.selection instanceof BlockSelection) return onBlocksKey(editor, event, openMenu)
        if (keysOf(event) === 'Escape') selectBlocks(view)
        // Escape does here what else it does: it lets Tab leave the text.
        return false
      },
      decorations({ doc, selection }) {
        if (!(selection instanceof BlockSelection)) return null
        let at = selection.from
        const marks = selection.blocks().map((block) => {
          at += block.nodeSize
          return Decoration.node(at - block.nodeSize, at, selectedBlock)
        })
        return DecorationSet.create(doc, marks)
      },
    },
  })

const keysOf = ({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): string =>
  `${ctrlKey || metaKey || altKey ? 'Mod+' : ''}${shiftKey ? 'Shift+' : ''}${key}`

export function selectBlocks(view: EditorView): void {
  const { doc, selection, tr } = view.state
  const range = selection instanceof BlockSelection ? null : blockRangeOf(selection)
  if (range) view.dispatch(tr.setSelection(BlockSelection.of(doc, range, selection.head)))
}

function onBlocksKey(editor: Editor, event: KeyboardEvent, openMenu: () => void): boolean {
  const { view } = editor
  const keys = keysOf(event)
  const next = nextSelection(view.state, keys)
  if (next) {
    view.dispatch(view.state.tr.setSelection(next).scrollIntoView())
    return true
  }
  if (keys === 'Enter') openMenu()
  else if (keys === 'Backspace' || keys === 'Delete') return actOnBlocks(editor, 'delete')
  else if (keys === 'Escape' || isLetter(event)) {
    // A letter, also the first of a composition, goes where the caret was, and takes nothing away.
    view.dispatch(returnToText(view.state))
    return false
  }
  return keys === 'Enter' || /^(?:Shift\+)?Arrow/.test(keys)
}

const isLetter = ({ key, ctrlKey, metaKey, altKey, isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || keyCode === 229 || key === 'Dead' || (key.length === 1 && !ctrlKey && !metaKey && !altKey)

function returnToText({ doc, selection, tr }: EditorState): Transaction {
  const { caret } = selection as BlockSelection
  const isWithin = caret !== null && caret > selection.from && caret < selection.to
  return tr.setSelection(
    isWithin ? TextSelection.near(doc.resolve(caret)) : Selection.near(doc.resolve(selection.to), -1),
  )
}

function nextSelection({ doc, selection }: EditorState, keys: string): BlockSelection | null {
  const { caret } = selection as BlockSelection
  const select = (range: BlockRange | null) => range && BlockSelection.of(doc, range, caret)
  switch (keys) {
    case 'ArrowUp':
      return select(siblingOf(doc, selection, -1))
    case 'ArrowDown':
      return select(siblingOf(doc, selection, 1))
    case 'ArrowLeft':
      return select(blockAround(doc, selection))
    case 'ArrowRight':
      return select(blockWithin(doc, selection))
    case 'Shift+ArrowUp':
      return extended(selection as BlockSelection, -1)
    case 'Shift+ArrowDown':
      return extended(selection as BlockSelection, 1)
    default:
      return null
  }
}

/** Moves the end that Shift moves by a block. */
function extended(selection: BlockSelection, direction: -1 | 1): BlockSelection | null {
  const { $anchor, $head, caret } = selection
  const doc = $anchor.node(0)
  const isForward = selection.anchor < selection.head
  // A single block is selected from either side.
  const isTurned = selection.blocks().length === 1 && isForward !== direction > 0
  const [anchor, head] = isTurned ? [$head, $anchor] : [$anchor, $head]
  const passed = siblingOf(doc, { from: head.pos, to: head.pos }, direction)
  const next = passed && (direction > 0 ? passed.to : passed.from)
  return next === null || next === anchor.pos ? null : new BlockSelection(anchor, doc.resolve(next), caret)
}
