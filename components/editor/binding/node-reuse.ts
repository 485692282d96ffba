/**
 * Gives the binding the editor's nodes: those of blocks that a remote edit did not change stay, and `text-reader.ts` reads the others. The
 * binding by itself would recreate the whole text for each remote letter, and delete what does not fit. Nor does it write what was only
 * drawn: it writes after an edit of the person, where they may edit.
 *
 * Knows the binding and what is on screen; does not know what an edit changed: the binding has already dropped the nodes of changed blocks.
 */
import { Extension } from '@tiptap/core'
import { Fragment, type Node, Slice } from '@tiptap/pm/model'
import { Plugin, TextSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import * as Y from 'yjs'
import { itemOf } from '@/lib/yjs-internals/shared-type.ts'
import { markReal, TextReader } from './text-reader.ts'
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

type ReusedView = Pick<EditorView, 'state' | 'dispatch' | 'editable'>

/** Stays in place for the binding's life: the binding keeps all replacements when its view is recreated. */
export function reuseNodes(view: ReusedView): void {
  const binding = yTiptapBindingOf(view.state)
  if (!(binding.mapping instanceof ReusingNodeMap)) replaceReading(binding, view)
  binding._forceRerender()
}

function replaceReading(binding: YTiptapBinding, view: ReusedView): void {
  const mapping = new ReusingNodeMap(binding, view)
  const drawChanges = binding._observeFunction
  const write = binding._prosemirrorChanged.bind(binding)
  let drawnDoc: Node | null = null
  binding.type.unobserveDeep(drawChanges)
  binding._observeFunction = (events, transaction) => {
    mapping.runReusingNodes(() => drawChanges(events, transaction))
    drawnDoc = view.state.doc
  }
  binding._forceRerender = () => {
    mapping.clear()
    binding.mux(() => redraw(binding, view, mapping.readBlocks()))
    drawnDoc = view.state.doc
  }
  binding._prosemirrorChanged = (doc) => {
    if (view.editable && doc !== drawnDoc) write(doc)
  }
  binding.type.observeDeep(binding._observeFunction)
  binding.mapping = mapping
}

/** As the binding would, with its own nodes. */
function redraw(
  { beforeTransactionSelection }: YTiptapBinding,
  view: ReusedView,
  blocks: readonly Node[],
): void {
  const { tr, selection } = view.state
  tr.replace(0, tr.doc.content.size, new Slice(Fragment.from(blocks), 0, 0))
  if (!beforeTransactionSelection) {
    const [anchor, head] = [selection.anchor, selection.head].map((at) => Math.min(at, tr.doc.content.size))
    tr.setSelection(TextSelection.between(tr.doc.resolve(anchor!), tr.doc.resolve(head!)))
  }
  view.dispatch(tr.setMeta('addToHistory', false).setMeta(ySyncPluginKey, { isChangeOrigin: true }))
}

class ReusingNodeMap extends Map<MappedType, Node | Node[]> {
  readonly #text: Y.XmlFragment
  readonly #view: ReusedView
  readonly #reader: TextReader
  #isReusing = false

  constructor({ type, mapping }: YTiptapBinding, view: ReusedView) {
    super(mapping)
    this.#text = type
    this.#view = view
    this.#reader = new TextReader(view.state.schema, (element, node) => super.set(element, node))
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

  /** Called by the binding before it draws. */
  override clear(): void {
    if (!this.#isReusing) return super.clear()
    // A block that is on screen is as the binding last wrote or drew it.
    const shownNodes = new Set<unknown>(this.#view.state.doc.content.content)
    for (const block of this.#text.toArray()) if (!shownNodes.has(this.get(block))) this.#dropSubtree(block)
    // The binding finds each block and reads none.
    this.readBlocks()
  }

  /** Called by the binding with what it has written. */
  override set(type: MappedType, node: Node | Node[]): this {
    for (const written of [node].flat()) markReal(written)
    return super.set(type, node)
  }

  readBlocks(): Node[] {
    return this.#text.toArray().flatMap((block) => {
      const known = this.get(block)
      if (known) return known
      if (this.#view.editable) joinOwnTexts(block)
      const { nodes } = this.#reader.readBlock(block)
      return nodes
    })
  }

  #dropSubtree(type: MappedType): void {
    this.delete(type)
    if (type instanceof Y.XmlFragment) for (const child of type.toArray()) this.#dropSubtree(child)
  }
}

/**
 * Where two people began in the same empty block at once, each has created a text node. The one who created the later one moves its letters
 * into the other, or they would be written twice when somebody types there.
 */
function joinOwnTexts(block: unknown): void {
  if (!(block instanceof Y.XmlElement)) return
  let before: unknown = null
  for (const child of block.toArray() as unknown[]) {
    if (before instanceof Y.XmlText && child instanceof Y.XmlText && isOwn(child)) joinTexts(before, child)
    else before = child
    joinOwnTexts(child)
  }
}

const isOwn = (text: Y.XmlText): boolean => itemOf(text)?.id.client === text.doc?.clientID

function joinTexts(text: Y.XmlText, next: Y.XmlText): void {
  const parent = next.parent as Y.XmlElement
  next.doc?.transact(() => {
    text.applyDelta([{ retain: text.length }, ...(next.toDelta() as object[])])
    parent.delete(parent.toArray().indexOf(next), 1)
  })
}
