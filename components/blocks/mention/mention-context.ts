/** Says to the views of an editor in which document they are. */
import { Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey } from '@tiptap/pm/state'
import type { OpenDocument } from '@/lib/client.ts'
import type { MentionContext } from './mention-names.ts'

const key = new PluginKey<OpenDocument>('mentionContext')

export const mentionContext = (opened: OpenDocument): Extension =>
  Extension.create({
    name: 'mentionContext',
    addProseMirrorPlugins: () => [
      new Plugin<OpenDocument>({ key, state: { init: () => opened, apply: (_transaction, same) => same } }),
    ],
  })

export function mentionContextOf(state: EditorState): MentionContext | null {
  const opened = key.getState(state)
  return opened ? { document: opened.handle.document, awareness: opened.awareness } : null
}
