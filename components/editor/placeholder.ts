/** The word in an empty text. Drawn and not stored. */
import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { editorStrings } from '@/lib/strings/editor.ts'

export const Placeholder = Extension.create({
  name: 'placeholder',
  addProseMirrorPlugins() {
    const decorations = ({ doc }: { readonly doc: Node }): DecorationSet | null =>
      isEmptyLine(doc) && this.editor.isEditable ? DecorationSet.create(doc, [placeholderIn(doc)]) : null
    return [new Plugin({ props: { decorations } })]
  },
})

const isEmptyLine = ({ childCount, firstChild }: Node): boolean =>
  childCount === 1 && firstChild?.isTextblock === true && firstChild.content.size === 0

const placeholderIn = ({ content: { size } }: Node): Decoration =>
  Decoration.node(0, size, { class: 'is-editor-empty', 'data-placeholder': editorStrings.text.placeholder })
