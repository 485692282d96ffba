/**
 * Shows a shared text that does not fit the schema, as `text-reader.ts` reads it. It is not bound to it: nothing here writes. Parts that the
 * schema does not know are labelled.
 */
import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { type EditorState, Plugin, TextSelection } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import * as Y from 'yjs'
import { watchTree } from '@/lib/text/tree.ts'
import { isStandIn, TextReader } from './text-reader.ts'
import { strings } from '@/lib/strings/editor.ts'

export const TextReading = Extension.create<{ fragment: Y.XmlFragment }>({
  name: 'textReading',
  addOptions: () => ({ fragment: new Y.XmlFragment() }),
  addProseMirrorPlugins() {
    const { fragment } = this.options
    return [
      new Plugin<DecorationSet>({
        state: {
          init: (_config, { doc }) => labelsIn(doc),
          apply: ({ docChanged, doc }, labels) => (docChanged ? labelsIn(doc) : labels),
        },
        props: {
          editable: () => false,
          decorations(state: EditorState) {
            return this.getState(state)
          },
        },
        view(view) {
          draw(view, fragment)
          return { destroy: watchTree(fragment, () => draw(view, fragment)) }
        },
      }),
    ]
  },
})

function draw(view: EditorView, fragment: Y.XmlFragment): void {
  const { tr, schema, selection } = view.state
  tr.replaceWith(0, tr.doc.content.size, new TextReader(schema).readText(fragment).content)
  const [anchor, head] = [selection.anchor, selection.head].map((at) => Math.min(at, tr.doc.content.size))
  tr.setSelection(TextSelection.between(tr.doc.resolve(anchor!), tr.doc.resolve(head!)))
  view.dispatch(tr.setMeta('addToHistory', false).setMeta(ySyncPluginKey, { isChangeOrigin: true }))
}

function labelsIn(doc: Node): DecorationSet {
  const labels: Decoration[] = []
  doc.descendants((node, at) => {
    if (!isStandIn(node)) return
    const label = { class: 'foreign-part', 'data-label': strings.text.foreignPart }
    labels.push(Decoration.node(at, at + node.nodeSize, label))
  })
  return DecorationSet.create(doc, labels)
}
