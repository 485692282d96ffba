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

export interface Binding extends Pick<ProsemirrorBinding, 'doc' | 'mapping' | 'type'> {
  /** Everything that the binding does, both ways, runs through it. */
  mux: (run: () => void) => void
  /** Within a Yjs transaction: where the selection was before it. */
  readonly beforeTransactionSelection: RelativeSelection | null
  /** Draws the shared text into the editor, whatever stands there. */
  _forceRerender(): void
  /** Writes what the editor has into the shared text. */
  _prosemirrorChanged(doc: Node): void
}

export const bindingOf = (state: EditorState): Binding =>
  (ySyncPluginKey.getState(state) as { readonly binding: Binding }).binding

/** In the place of `mux`: the binding takes nothing over and writes nothing any more, for good. */
export const still = (): void => {}

/** The binding takes something over from the shared text, always as a whole. */
export const isOfSharedText = (transaction: Transaction): boolean =>
  (transaction.getMeta(ySyncPluginKey) as { readonly isChangeOrigin?: boolean } | undefined)
    ?.isChangeOrigin === true
