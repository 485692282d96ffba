/** Binds Tiptap's editor to the shared text. */
import { type Editor, Extension, type Storage } from '@tiptap/core'
import { Plugin, type PluginKey } from '@tiptap/pm/state'
import * as Y from 'yjs'
import { DrawRecovery } from './draw-recovery.ts'
import { TextBinding } from './text-binding.ts'

interface TextSyncOptions {
  readonly text: Y.XmlFragment
  /** The keys of plugins that only decorate the text. */
  readonly decorationPlugins: readonly PluginKey[]
}

interface TextSyncStorage {
  recovery: DrawRecovery | null
}

declare global {
  /** Set by a test before the page loads: each change is followed by an assertion that the screen is the document. */
  var diptychChecksScreen: boolean | undefined
}

declare module '@tiptap/core' {
  interface Storage {
    textSync: TextSyncStorage
  }
}

export const TextSync = Extension.create<TextSyncOptions, TextSyncStorage>({
  name: 'textSync',
  // Its dispatch wraps those of all others, and its plugins are updated first, right after the text is drawn.
  priority: 10_000,
  addOptions: () => ({ text: new Y.XmlFragment(), decorationPlugins: [] }),
  addStorage: () => ({ recovery: null }),
  addProseMirrorPlugins() {
    const { text, decorationPlugins } = this.options
    const binding = new TextBinding(text, this.editor.schema)
    const recovery = new DrawRecovery(binding, decorationPlugins)
    this.storage.recovery = recovery
    return [recovery.plugin, binding.plugin, ...screenChecks(binding, recovery)]
  },
  dispatchTransaction({ transaction, next }) {
    const { recovery } = this.storage
    if (recovery) recovery.dispatch(transaction, next)
    else next(transaction)
  },
})

/** Null before the editor has its plugins, and once it is destroyed: a page may draw what is around it once more. */
export function recoveryOf(editor: Editor): DrawRecovery | null {
  const { textSync }: Partial<Storage> = editor.storage
  return textSync?.recovery ?? null
}

function screenChecks(binding: TextBinding, recovery: DrawRecovery): Plugin[] {
  if (!globalThis.diptychChecksScreen) return []
  // Not there where a test has ended the server.
  const check = import('./check-screen.ts').catch(() => null)
  return [
    new Plugin({
      view: (view) => {
        let timer: ReturnType<typeof setTimeout> | undefined
        const run = async (): Promise<void> => {
          timer = undefined
          const module = await check
          // An editor that could not draw the text says so (W9).
          if (!view.isDestroyed && recovery.state === 'current') module?.checkScreen(view, binding)
        }
        return {
          update: () => {
            timer ??= setTimeout(() => void run().catch(reportError))
          },
          destroy: () => clearTimeout(timer),
        }
      },
    }),
  ]
}
