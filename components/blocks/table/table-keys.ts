/** The keys in tables. What they do is loaded when the caret first stands in one. */
import { Plugin } from '@tiptap/pm/state'
import { holdKey, releaseKeys } from '@/components/blocks/late-keys.ts'
import { isInTable } from './is-in-table.ts'

const importKeys = () => import('./table-key-commands.ts')

let loaded: Awaited<ReturnType<typeof importKeys>> | null = null

/** The keys are those of the text then, and the code is requested again with the next key. */
let hasFailed = false

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
        const isOfTable = event.key === 'Tab' || event.key.startsWith('Arrow')
        if (!isOfTable || event.ctrlKey || event.metaKey || hasFailed) return false
        void loadTableKeys()
          .catch(() => (hasFailed = true))
          .then(() => releaseKeys(view))
        return holdKey(view, event)
      },
    },
  })
