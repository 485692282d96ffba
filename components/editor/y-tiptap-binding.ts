/** The members of y-tiptap's binding that its types leave out. The binding keeps one editor and the shared text in step. */
import type { Node } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import type { ProsemirrorBinding } from '@tiptap/y-tiptap'
import { ySyncPluginKey } from '@tiptap/y-tiptap'

/** A selection by relative positions, which others' edits do not shift. */
export interface RelativeSelection {
  readonly anchor: unknown
  readonly head: unknown
}

export interface YTiptapBinding extends Pick<ProsemirrorBinding, 'doc' | 'mapping' | 'type'> {
  /** The binding runs through it whatever it does, both ways. */
  mux: (run: () => void) => void
  /** The binding's observer of the shared text, which draws what others changed. */
  _observeFunction: Parameters<YTiptapBinding['type']['observeDeep']>[0]
  /** Within a Yjs transaction: where the selection was before it. */
  readonly beforeTransactionSelection: RelativeSelection | null
  /** Draws the shared text into the editor, whatever stands there. */
  _forceRerender(): void
  /** Writes what the editor has into the shared text. */
  _prosemirrorChanged(doc: Node): void
}

export const yTiptapBindingOf = (state: EditorState): YTiptapBinding =>
  (ySyncPluginKey.getState(state) as { readonly binding: YTiptapBinding }).binding

/** Takes the place of `mux` for good: the binding takes no change over and writes none any more. */
export const ignoreChanges = (): void => {}

/** Whether the binding takes something over from the shared text: it replaces all of the editor's text by that. */
export const isFromSharedText = (transaction: Transaction): boolean =>
  (transaction.getMeta(ySyncPluginKey) as { readonly isChangeOrigin?: boolean } | undefined)
    ?.isChangeOrigin === true
