/** The line that shows where a drop would insert something. Its code is loaded when something is dragged over a text for the first time. */
import { Extension } from '@tiptap/core'
import { Plugin, type PluginView } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { loadInBackground } from '@/lib/load-in-background.ts'

const loadCode = loadInBackground(() => import('@tiptap/pm/dropcursor'))

export const DropCursor = Extension.create({
  name: 'dropCursor',
  addProseMirrorPlugins: () => [new Plugin({ view: createDropCursorView })],
})

function createDropCursorView(view: EditorView): PluginView {
  let loaded: PluginView | undefined
  const stop = new AbortController()
  const load = async (): Promise<void> => {
    const { dropCursor } = await loadCode()
    if (!stop.signal.aborted) loaded = dropCursor({ color: 'currentColor', width: 1 }).spec.view!(view)
  }
  view.dom.addEventListener('dragenter', () => void load(), { once: true, signal: stop.signal })
  return {
    update: (...change) => loaded?.update?.(...change),
    destroy() {
      stop.abort()
      loaded?.destroy?.()
    },
  }
}
