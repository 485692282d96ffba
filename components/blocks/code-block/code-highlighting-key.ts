/** Apart from the plugin, which is loaded late: an editor that cannot draw leaves decorations out by their keys. */
import { PluginKey } from '@tiptap/pm/state'
import type { DecorationSet } from '@tiptap/pm/view'

export interface Highlighting {
  readonly decorations: DecorationSet
  /** Some code has changed, and what is to be coloured in it is not known. */
  readonly isIncomplete: boolean
}

export const codeHighlightingKey = new PluginKey<Highlighting>('codeHighlighting')
