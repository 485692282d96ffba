/** The members of y-tiptap's binding that its types leave out. The binding keeps one editor and the shared text in sync. */
import type { Node } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import type { ProsemirrorBinding } from '@tiptap/y-tiptap'
import { ySyncPluginKey } from '@tiptap/y-tiptap'

/** A selection in relative positions, which remote edits do not shift. */
export interface RelativeSelection {
  readonly anchor: unknown
  readonly head: unknown
}

export interface YTiptapBinding extends Pick<ProsemirrorBinding, 'doc' | 'mapping' | 'type'> {
  /** The binding runs all its work through it, in both directions. */
  mux: (run: () => void) => void
  /** The binding's observer of the shared text, which draws remote changes. */
  _observeFunction: Parameters<YTiptapBinding['type']['observeDeep']>[0]
  /** During a Yjs transaction, the selection before it. */
  readonly beforeTransactionSelection: RelativeSelection | null
  /** Draws the shared text into the editor, whatever is there. */
  _forceRerender(): void
  /** Writes the editor's text into the shared text. */
  _prosemirrorChanged(doc: Node): void
}

export const yTiptapBindingOf = (state: EditorState): YTiptapBinding =>
  (ySyncPluginKey.getState(state) as { readonly binding: YTiptapBinding }).binding

/** Replaces `mux` for good: the binding takes over no change and writes none any more. */
export const ignoreChanges = (): void => {}

/** Whether the binding is taking something over from the shared text, which replaces the editor's whole text. */
export const isFromSharedText = (transaction: Transaction): boolean =>
  (transaction.getMeta(ySyncPluginKey) as { readonly isChangeOrigin?: boolean } | undefined)
    ?.isChangeOrigin === true
