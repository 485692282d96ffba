/** Apart from the plugin, which is loaded late: an editor that cannot draw leaves decorations out by their keys. */
import { PluginKey } from '@tiptap/pm/state'
import type { DecorationSet } from '@tiptap/pm/view'

export const authorMarksKey = new PluginKey<DecorationSet>('authorMarks')
