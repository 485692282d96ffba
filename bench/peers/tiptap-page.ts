/**
 * Shows Tiptap's editor in a browser, with the extensions for collaboration and carets, as its documentation shows them, and with
 * Hocuspocus's provider. The path of the address names the document.
 */
import { HocuspocusProvider } from '@hocuspocus/provider'
import { Editor } from '@tiptap/core'
import Collaboration from '@tiptap/extension-collaboration'
import CollaborationCaret from '@tiptap/extension-collaboration-caret'
import StarterKit from '@tiptap/starter-kit'
import * as Y from 'yjs'

const doc = new Y.Doc()
const provider = new HocuspocusProvider({
  url: `ws://${location.host}`,
  name: location.pathname.slice(1),
  document: doc,
  // The bench waits for it.
  onSynced: () => Object.assign(window, { measuredDocument: doc }),
})

new Editor({
  element: document.querySelector('main')!,
  extensions: [
    // Collaboration has its own undo.
    StarterKit.configure({ undoRedo: false }),
    Collaboration.configure({ document: doc }),
    CollaborationCaret.configure({ provider, user: { name: 'Guest', color: '#f783ac' } }),
  ],
})
