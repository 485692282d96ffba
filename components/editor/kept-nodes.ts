/**
 * Keeps the editor's nodes of all blocks that an edit of others left as they are. The binding makes the whole text anew for each of
 * their letters, and the editor and its plugins then compare all of it.
 *
 * Knows the binding and what is on screen; does not know what an edit changed: of that the binding has forgotten the nodes before.
 */
import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import * as Y from 'yjs'
import { type Binding, bindingOf } from './binding'

type Mapping = Binding['mapping']
type Type = Parameters<Mapping['get']>[0]

export const KeptNodes = Extension.create({
  name: 'keptNodes',
  addProseMirrorPlugins() {
    // Behind the binding's own plugin, which comes first by its priority, so the binding has its view.
    return [
      new Plugin({
        view(view) {
          keepNodes(view)
          return {}
        },
      }),
    ]
  },
})

/** For good: the binding takes both over when its view is made anew. */
export function keepNodes(view: Pick<EditorView, 'state'>): void {
  const binding = bindingOf(view.state)
  if (binding.mapping instanceof NodeMapping) return
  const mapping = new NodeMapping(binding, () => view.state.doc)
  const draw = binding._observeFunction
  binding.type.unobserveDeep(draw)
  binding._observeFunction = (events, transaction) => mapping.keepingNodes(() => draw(events, transaction))
  binding.type.observeDeep(binding._observeFunction)
  binding.mapping = mapping
}

class NodeMapping extends Map<Type, Node | Node[]> {
  readonly #text: Y.XmlFragment
  readonly #shown: () => Node
  #isKeeping = false

  constructor({ type, mapping }: Binding, shown: () => Node) {
    super(mapping)
    this.#text = type
    this.#shown = shown
  }

  /** While it runs, `clear` drops no more than has to be made anew. */
  keepingNodes(run: () => void): void {
    this.#isKeeping = true
    try {
      run()
    } finally {
      this.#isKeeping = false
    }
  }

  override clear(): void {
    if (!this.#isKeeping) return super.clear()
    // A block that is on screen is as the binding wrote or drew it last.
    const shown = new Set<unknown>(this.#shown().content.content)
    for (const block of this.#text.toArray()) if (!shown.has(this.get(block))) this.#drop(block)
  }

  #drop(type: Type): void {
    this.delete(type)
    if (type instanceof Y.XmlFragment) for (const child of type.toArray()) this.#drop(child)
  }
}
