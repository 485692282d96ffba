import type { ChainedCommands, Editor } from '@tiptap/core'
import { yUndoPluginKey } from '@tiptap/y-tiptap'
import {
  Bold,
  Code,
  Italic,
  List,
  ListChecks,
  ListOrdered,
  Minus,
  Redo2,
  SquareCode,
  Strikethrough,
  Quote,
  Underline,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import { strings } from '@/lib/strings/editor.ts'
import { strings as undo } from '@/lib/strings/undo.ts'

export interface ToolbarItem {
  readonly name: string
  readonly keys?: string
  readonly Icon: LucideIcon
  readonly run: (chain: ChainedCommands) => ChainedCommands
  /** Only for items that can be on or off. */
  readonly isOn?: (editor: Editor) => boolean
  readonly canRun?: (editor: Editor) => boolean
}

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

const isOn = (name: string) => (editor: Editor) => editor.isActive(name)

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

export const markGroup: ToolbarGroup = {
  name: strings.toolbar.marks,
  items: [
    {
      name: strings.toolbar.bold,
      keys: 'Mod+B',
      Icon: Bold,
      run: (chain) => chain.toggleMark('bold'),
      isOn: isOn('bold'),
    },
    {
      name: strings.toolbar.italic,
      keys: 'Mod+I',
      Icon: Italic,
      run: (chain) => chain.toggleMark('italic'),
      isOn: isOn('italic'),
    },
    {
      name: strings.toolbar.underline,
      keys: 'Mod+U',
      Icon: Underline,
      run: (chain) => chain.toggleMark('underline'),
      isOn: isOn('underline'),
    },
    {
      name: strings.toolbar.strikethrough,
      keys: 'Mod+Shift+S',
      Icon: Strikethrough,
      run: (chain) => chain.toggleMark('strike'),
      isOn: isOn('strike'),
    },
    {
      name: strings.toolbar.code,
      keys: 'Mod+E',
      Icon: Code,
      run: (chain) => chain.toggleMark('code'),
      isOn: isOn('code'),
    },
  ],
}

export const blockGroup: ToolbarGroup = {
  name: strings.toolbar.blocks,
  items: [
    {
      name: strings.toolbar.bulletList,
      keys: 'Mod+Shift+8',
      Icon: List,
      run: (chain) => chain.toggleList('bulletList', 'listItem'),
      isOn: isOn('bulletList'),
    },
    {
      name: strings.toolbar.numberedList,
      keys: 'Mod+Shift+7',
      Icon: ListOrdered,
      run: (chain) => chain.toggleList('orderedList', 'listItem'),
      isOn: isOn('orderedList'),
    },
    {
      name: strings.toolbar.taskList,
      keys: 'Mod+Shift+9',
      Icon: ListChecks,
      run: (chain) => chain.toggleList('taskList', 'taskItem'),
      isOn: isOn('taskList'),
    },
    {
      name: strings.toolbar.quote,
      keys: 'Mod+Shift+B',
      Icon: Quote,
      run: (chain) => chain.toggleBlockquote(),
      isOn: isOn('blockquote'),
    },
    {
      name: strings.toolbar.codeBlock,
      keys: 'Mod+Alt+C',
      Icon: SquareCode,
      run: (chain) => chain.toggleCodeBlock(),
      isOn: isOn('codeBlock'),
    },
    { name: strings.toolbar.divider, Icon: Minus, run: (chain) => chain.setHorizontalRule() },
  ],
}
