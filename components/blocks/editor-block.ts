import type { ChainedCommands, Editor, Mark, Node } from '@tiptap/core'
import type { Plugin, Selection } from '@tiptap/pm/state'
import type { NodeViewConstructor } from '@tiptap/pm/view'
import type { LucideIcon } from 'lucide-react'

/** A command of the text, with its keys. */
export interface TextCommand {
  readonly name: string
  /** Other words that people search for. */
  readonly words?: string
  readonly keys?: string
  readonly run: (chain: ChainedCommands) => ChainedCommands
  /** Only for items that can be on or off. */
  readonly isOn?: (editor: Editor) => boolean
  readonly canRun?: (editor: Editor) => boolean
}

/** A button of the toolbar, or an entry of the menu of blocks. */
export interface ToolbarItem extends TextCommand {
  readonly Icon: LucideIcon
  /** Of an item that is neither on nor off: whether it makes something of the selected line, and not beside it. */
  readonly takesLine?: (selection: Selection) => boolean
}

/** A part of the toolbar's menu of formats that are used less. */
export interface FormatGroup {
  readonly name: string
  readonly formats: readonly Format[]
}

export interface Format extends TextCommand {
  /** Class names of its name in the menu. */
  readonly look?: string
}

/** An entry of the toolbar's menu, which makes a line a block of this kind. */
export interface LineStyle {
  readonly id: string
  readonly name: string
  readonly words?: string
  readonly keys: string
  readonly Icon: LucideIcon
  readonly look: string
  readonly run: (chain: ChainedCommands) => ChainedCommands
}

/** The module that an editor loads when it first shows a block of this kind. */
export interface BlockView {
  /** May throw: the block is shown as its text then. */
  readonly createView: NodeViewConstructor
  /** Plugins that editing the block needs: keys, selections, decorations. */
  readonly plugins?: () => readonly Plugin[]
}

export type LoadBlockView = () => Promise<BlockView>

/** The editor's part of a block or a mark: its extension, its buttons and its keys. */
export interface EditorBlock {
  readonly extension: Node | Mark
  /** For a block that takes more to draw than its `toDOM`, which draws it until this has loaded. */
  readonly view?: LoadBlockView
  readonly toolbar?: ToolbarItem
  /** In the menu of blocks and among the commands only: the toolbar has no room for all. */
  readonly menuItems?: readonly ToolbarItem[]
  readonly lineStyles?: readonly LineStyle[]
}

export const isOn =
  (name: string) =>
  (editor: Editor): boolean =>
    editor.isActive(name)
