/** A Tiptap client as others build it: y-tiptap as it comes. It repairs by writing, so what it deletes counts as deleted by its person. */
import { getSchema } from '@tiptap/core'
import { EditorState, type Plugin, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { ySyncPlugin, ySyncPluginKey } from '@tiptap/y-tiptap'
import * as Y from 'yjs'
import { schemaExtensions } from '../../../components/editor/schema-extensions.ts'
import type { HeadlessEditor } from './editor-subject.ts'

/** The schema of Tiptap's own extensions: it knows nothing of what our page shows of unknown parts. */
export const stockSchema = getSchema(schemaExtensions)

export function openStockClient(doc: Y.Doc): HeadlessEditor {
  const text = doc.getXmlFragment('default')
  const plugin = ySyncPlugin(text) as Plugin
  const undoManager = new Y.UndoManager(text, {
    trackedOrigins: new Set([ySyncPluginKey]),
    captureTimeout: Infinity,
  })
  const view = {
    state: EditorState.create({ schema: stockSchema, plugins: [plugin] }),
    hasFocus: () => false,
    dispatch(transaction: Transaction) {
      view.state = view.state.apply(transaction)
      pluginView?.update?.(view as unknown as EditorView, view.state)
    },
  }
  let pluginView: ReturnType<NonNullable<typeof plugin.spec.view>> | null = null
  pluginView = plugin.spec.view!(view as unknown as EditorView)
  // y-tiptap 3.0.9 throws where it looks for the selection of a former text in a shorter one. So it keeps none.
  const { binding } = ySyncPluginKey.getState(view.state) as { binding: object }
  Object.defineProperty(binding, 'beforeTransactionSelection', { get: () => null, set() {} })
  return {
    get state() {
      return view.state
    },
    isEditable: true,
    dispatch: view.dispatch,
    undo: () => void undoManager.undo(),
    redo: () => void undoManager.redo(),
    endUndoStep: () => undoManager.stopCapturing(),
    destroy() {
      pluginView.destroy?.()
      undoManager.destroy()
    },
  }
}
