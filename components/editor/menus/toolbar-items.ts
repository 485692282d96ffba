import type { Editor } from '@tiptap/core'
import { Redo2, Undo2 } from 'lucide-react'
import { editorBlocks, editorMarks } from '@/components/blocks/blocks.ts'
import type { EditorBlock, ToolbarItem } from '@/components/blocks/editor-block.ts'
import type { UndoDirection } from '@/lib/undo/undo-stacks.ts'
import { strings } from '@/lib/strings/editor.ts'
import { strings as undo } from '@/lib/strings/undo.ts'

type ToolbarGroup = { readonly name: string; readonly items: readonly ToolbarItem[] }

/** Called at each key press: Tiptap's own `can` would create all commands of the editor each time. */
const hasUndoSteps =
  (direction: UndoDirection) =>
  ({ storage }: Editor): boolean =>
    storage.sharedUndo.undo?.nextItem(direction) !== undefined

export const historyGroup: ToolbarGroup = {
  name: strings.toolbar.history,
  items: [
    {
      name: undo.undo,
      keys: 'Mod+Z',
      Icon: Undo2,
      run: (chain) => chain.undo(),
      canRun: hasUndoSteps('undo'),
    },
    {
      name: undo.redo,
      keys: 'Mod+Shift+Z',
      Icon: Redo2,
      run: (chain) => chain.redo(),
      canRun: hasUndoSteps('redo'),
    },
  ],
}

const itemsOf = (blocks: readonly EditorBlock[]): readonly ToolbarItem[] =>
  blocks.flatMap(({ toolbar }) => toolbar ?? [])

export const markGroup: ToolbarGroup = { name: strings.toolbar.marks, items: itemsOf(editorMarks) }

export const blockGroup: ToolbarGroup = { name: strings.toolbar.blocks, items: itemsOf(editorBlocks) }
