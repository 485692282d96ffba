/**
 * Keeps the editor's nodes of all blocks that a remote edit did not change. The binding recreates the whole text for each remote letter,
 * and the editor and its plugins would then compare all of it.
 *
 * Knows the binding and what is on screen; does not know what an edit changed: the binding has already dropped the nodes of changed blocks.
 */
import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import * as Y from 'yjs'
import { type YTiptapBinding, yTiptapBindingOf } from './y-tiptap-binding.ts'

type NodeMap = YTiptapBinding['mapping']
type MappedType = Parameters<NodeMap['get']>[0]

export const NodeReuse = Extension.create({
  name: 'keptNodes',
  addProseMirrorPlugins() {
    // The binding's own plugin has a higher priority and comes first, so the binding already has its view.
    return [
      new Plugin({
        view(view) {
          reuseNodes(view)
          return {}
        },
      }),
    ]
  },
})

/** Stays in place for the binding's life: the binding keeps both replacements when its view is recreated. */
export function reuseNodes(view: Pick<EditorView, 'state'>): void {
  const binding = yTiptapBindingOf(view.state)
  if (binding.mapping instanceof ReusingNodeMap) return
  const mapping = new ReusingNodeMap(binding, () => view.state.doc)
  const drawChanges = binding._observeFunction
  binding.type.unobserveDeep(drawChanges)
  binding._observeFunction = (events, transaction) =>
    mapping.runReusingNodes(() => drawChanges(events, transaction))
  binding.type.observeDeep(binding._observeFunction)
  binding.mapping = mapping
}

class ReusingNodeMap extends Map<MappedType, Node | Node[]> {
  readonly #text: Y.XmlFragment
  readonly #shownDoc: () => Node
  #isReusing = false

  constructor({ type, mapping }: YTiptapBinding, shownDoc: () => Node) {
    super(mapping)
    this.#text = type
    this.#shownDoc = shownDoc
  }

  /** While `run` executes, `clear` drops only the nodes that must be recreated. */
  runReusingNodes(run: () => void): void {
    this.#isReusing = true
    try {
      run()
    } finally {
      this.#isReusing = false
    }
  }

  override clear(): void {
    if (!this.#isReusing) return super.clear()
    // A block that is on screen is as the binding last wrote or drew it.
    const shownNodes = new Set<unknown>(this.#shownDoc().content.content)
    for (const block of this.#text.toArray()) if (!shownNodes.has(this.get(block))) this.#dropSubtree(block)
  }

  #dropSubtree(type: MappedType): void {
    this.delete(type)
    if (type instanceof Y.XmlFragment) for (const child of type.toArray()) this.#dropSubtree(child)
  }
}
