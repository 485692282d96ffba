import type { Editor } from '@tiptap/core'
import { yUndoPluginKey } from '@tiptap/y-tiptap'
import { Redo2, Undo2 } from 'lucide-react'
import { editorBlocks, editorMarks } from '@/components/blocks/blocks.ts'
import type { EditorBlock, ToolbarItem } from '@/components/blocks/editor-block.ts'
import { strings } from '@/lib/strings/editor.ts'
import { strings as undo } from '@/lib/strings/undo.ts'

type ToolbarGroup = { readonly name: string; readonly items: readonly ToolbarItem[] }

/** Called at each key press: Tiptap's own `can` would create all commands of the editor each time. */
const hasUndoSteps =
  (stack: 'undoStack' | 'redoStack') =>
  ({ state }: Editor): boolean => {
    const { undoManager } = yUndoPluginKey.getState(state) as { readonly undoManager: UndoSteps }
    return undoManager[stack].length > 0
  }

interface UndoSteps {
  readonly undoStack: readonly unknown[]
  readonly redoStack: readonly unknown[]
}

export const historyGroup: ToolbarGroup = {
  name: strings.toolbar.history,
  items: [
    {
      name: undo.undo,
      keys: 'Mod+Z',
      Icon: Undo2,
      run: (chain) => chain.undo(),
      canRun: hasUndoSteps('undoStack'),
    },
    {
      name: undo.redo,
      keys: 'Mod+Shift+Z',
      Icon: Redo2,
      run: (chain) => chain.redo(),
      canRun: hasUndoSteps('redoStack'),
    },
  ],
}

const itemsOf = (blocks: readonly EditorBlock[]): readonly ToolbarItem[] =>
  blocks.flatMap(({ toolbar }) => toolbar ?? [])

export const markGroup: ToolbarGroup = { name: strings.toolbar.marks, items: itemsOf(editorMarks) }

export const blockGroup: ToolbarGroup = { name: strings.toolbar.blocks, items: itemsOf(editorBlocks) }
