import type { Editor } from '@tiptap/core'
import { Redo2, Undo2 } from 'lucide-react'
import { editorBlocks, editorMarks } from '@/components/blocks/blocks.ts'
import type { EditorBlock, ToolbarItem } from '@/components/blocks/editor-block.ts'
import type { UndoDirection } from '@/lib/undo/undo-stacks.ts'
import { editorStrings } from '@/lib/strings/editor.ts'
import { undoStrings } from '@/lib/strings/undo.ts'

type ToolbarGroup = { readonly name: string; readonly items: readonly ToolbarItem[] }

/** Called at each key press: Tiptap's own `can` would create all commands of the editor each time. */
const hasUndoSteps =
  (direction: UndoDirection) =>
  ({ storage, isDestroyed }: Editor): boolean =>
    // An editor that has ended has no storage.
    !isDestroyed && storage.sharedUndo.undo?.nextItem(direction) !== undefined

export const historyGroup: ToolbarGroup = {
  name: editorStrings.toolbar.history,
  items: [
    {
      name: undoStrings.undo,
      keys: 'Mod+Z',
      Icon: Undo2,
      run: (chain) => chain.undo(),
      canRun: hasUndoSteps('undo'),
    },
    {
      name: undoStrings.redo,
      keys: 'Mod+Shift+Z',
      Icon: Redo2,
      run: (chain) => chain.redo(),
      canRun: hasUndoSteps('redo'),
    },
  ],
}

const itemsOf = (blocks: readonly EditorBlock[]): readonly ToolbarItem[] =>
  blocks.flatMap(({ toolbar }) => toolbar ?? [])

export const markGroup: ToolbarGroup = { name: editorStrings.toolbar.marks, items: itemsOf(editorMarks) }

export const blockGroup: ToolbarGroup = { name: editorStrings.toolbar.blocks, items: itemsOf(editorBlocks) }

/** What makes a block and has no button. */
export const menuItems: readonly ToolbarItem[] = editorBlocks.flatMap((block) => block.menuItems ?? [])

/** All that makes a block, for its menus. */
export const blockItems: readonly ToolbarItem[] = editorBlocks.flatMap((block) => [
  ...(block.lineStyles ?? []),
  ...itemsOf([block]),
  ...(block.menuItems ?? []),
])

/** What a block that is there can become. */
export const turnIntoItems: readonly ToolbarItem[] = editorBlocks.flatMap((block) => [
  ...(block.lineStyles ?? []),
  ...itemsOf([block]).filter(({ isOn }) => isOn),
  ...(block.menuItems ?? []).filter(({ takesLine }) => takesLine),
])
