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

/** An entry of the toolbar's menu, which makes a line a block of this kind. */
export interface LineStyle {
  readonly id: string
  readonly name: string
  readonly keys: string
  readonly look: string
  readonly run: (chain: ChainedCommands) => ChainedCommands
}

/** The editor's part of a block or a mark: its extension, its buttons and its keys. */
export interface EditorBlock {
  readonly extension: Node | Mark
  readonly toolbar?: ToolbarItem
  readonly lineStyles?: readonly LineStyle[]
}

export const isOn =
  (name: string) =>
  (editor: Editor): boolean =>
    editor.isActive(name)
