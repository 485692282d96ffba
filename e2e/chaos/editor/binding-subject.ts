/** The page's own binding. */
import type * as Y from 'yjs'
import { createHeadlessEditor } from '../../../components/binding/fixtures/headless-editor.ts'
import { TextReader } from '../../../components/binding/read-text.ts'
import { pageSchema } from '../../../components/editor/schema.ts'
import type { EditorSubject, HeadlessEditor } from './editor-subject.ts'
import { createUndo } from './undo-of-one-window.ts'

const unknownNodes: ReadonlySet<string> = new Set(['unknownBlock', 'unknownInline'])

export const bindingSubject: EditorSubject = {
  name: 'binding',
  schema: pageSchema,
  readShown: (doc) => new TextReader(pageSchema).read(doc.getXmlFragment('default')).node,
  isUnknown: ({ type }) => unknownNodes.has(type.name),
  openEditor,
}

function openEditor(doc: Y.Doc, mayWrite: boolean): HeadlessEditor {
  const editor = createHeadlessEditor(doc.getXmlFragment('default'), { editable: mayWrite })
  editor.binding.drawRest()
  const undo = createUndo(doc)
  return {
    get state() {
      return editor.state
    },
    isEditable: mayWrite,
    dispatch: (transaction) => editor.dispatch(transaction),
    undo: () => undo.undo(),
    redo: () => undo.redo(),
    endUndoStep: () => undo.manager.stopCapturing(),
    destroy() {
      editor.destroy()
      undo.manager.destroy()
    },
  }
}
