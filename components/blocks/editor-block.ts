import type { ChainedCommands, Editor, Mark, Node } from '@tiptap/core'
import type { LucideIcon } from 'lucide-react'

/** A button of the toolbar, and a command with the same keys. */
export interface ToolbarItem {
  readonly name: string
  readonly keys?: string
  readonly Icon: LucideIcon
  readonly run: (chain: ChainedCommands) => ChainedCommands
  /** Only for items that can be on or off. */
  readonly isOn?: (editor: Editor) => boolean
  readonly canRun?: (editor: Editor) => boolean
}

/** What a line can be, in the menu of the toolbar. */
export interface LineStyle {
  readonly id: string
  readonly name: string
  readonly keys: string
  readonly look: string
  readonly run: (chain: ChainedCommands) => ChainedCommands
}

/** What the editor has for a block or a mark. */
export interface EditorBlock {
  readonly extension: Node | Mark
  readonly toolbar?: ToolbarItem
  readonly lineStyles?: readonly LineStyle[]
}

export const isOn =
  (name: string) =>
  (editor: Editor): boolean =>
    editor.isActive(name)
