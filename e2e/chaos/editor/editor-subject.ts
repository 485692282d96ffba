/** What the chaos of editors needs of a binding: whatever keeps an editor and a Yjs document equal can be put to it. */
import type { Node, Schema } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import type * as Y from 'yjs'

export interface EditorSubject {
  readonly name: string
  readonly schema: Schema
  /** Opens an editor of the document's text, as a page does, but without a screen. */
  openEditor(doc: Y.Doc, mayWrite: boolean): HeadlessEditor
  /** What every page shows of the document. */
  readShown(doc: Y.Doc): Node
  /** Whether the node stands for a part that the schema does not know. The letters in such a part need not be shown. */
  isUnknown(node: Node): boolean
}

export interface HeadlessEditor {
  readonly state: EditorState
  /** False for a viewer, and while the text can only be read. */
  readonly isEditable: boolean
  dispatch(transaction: Transaction): void
  undo(): void
  redo(): void
  /** What follows is another step of undo. */
  endUndoStep(): void
  destroy(): void
}
