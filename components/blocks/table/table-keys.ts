/** The keys in tables. What they do is loaded when the caret first stands in one. */
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { isInTable } from './is-in-table.ts'

const importKeys = () => import('./table-key-commands.ts')

let loaded: Awaited<ReturnType<typeof importKeys>> | null = null

export async function loadTableKeys(): Promise<void> {
  loaded = await importKeys()
}

export const tableKeys = (): Plugin =>
  new Plugin({
    view: () => ({
      update({ state }) {
        if (!loaded && isInTable(state)) void loadTableKeys().catch(() => undefined)
      },
    }),
    props: {
      handleKeyDown(view, event) {
        if (!view.editable || !isInTable(view.state)) return false
        if (loaded) return loaded.handleTableKey(view, event)
        if (event.key !== 'Tab') return false
        void handleLater(view, event)
        return true
      },
    },
  })

async function handleLater(view: EditorView, event: KeyboardEvent): Promise<void> {
  await loadTableKeys().catch(() => undefined)
  if (!view.isDestroyed) loaded?.handleTableKey(view, event)
}
