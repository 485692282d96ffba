/**
 * Loads what draws a block when an editor first shows one. Until then, and where it does not load, the block is drawn by its `toDOM`. A view
 * that throws never throws into a dispatch: its block is shown as its text. Knows the node views of ProseMirror; does not know which blocks
 * there are.
 *
 *   drawn by toDOM ── loaded ───────▶ drawn by the view ── the view throws ─▶ shown as text
 *    ▲        └────── not loaded ─┐
 *    └── shown once more ◀────────┘
 */
import { type Editor, Extension } from '@tiptap/core'
import { type Attrs, type DOMOutputSpec, DOMSerializer, type Node } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import {
  Decoration,
  DecorationSet,
  type EditorView,
  type NodeView,
  type NodeViewConstructor,
} from '@tiptap/pm/view'
import { editorStrings } from '@/lib/strings/editor.ts'
import type { BlockView, EditorBlock, LoadBlockView } from './editor-block.ts'

const loadedViews = new WeakMap<LoadBlockView, BlockView>()

/** Names the type of the nodes that are to be drawn once more. */
const redrawKey = new PluginKey<DecorationSet>('lateViews')

export const lateViews = (blocks: readonly EditorBlock[]): Extension =>
  Extension.create({
    name: 'lateViews',
    addProseMirrorPlugins() {
      const views = blocks.flatMap(({ extension: { name }, view }) =>
        view ? [[name, new LateView(name, view, this.editor).create] as const] : [],
      )
      return [redrawPlugin(Object.fromEntries(views))]
    },
  })

/** A node is drawn once more when its decorations change and its view does not accept that. */
const redrawPlugin = (nodeViews: Readonly<Record<string, NodeViewConstructor>>): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    key: redrawKey,
    state: {
      init: () => DecorationSet.empty,
      apply(transaction) {
        const name = transaction.getMeta(redrawKey) as string | undefined
        return name === undefined ? DecorationSet.empty : decorateNodes(transaction.doc, name)
      },
    },
    props: { nodeViews, decorations: (state) => redrawKey.getState(state) },
  })

function decorateNodes(doc: Node, name: string): DecorationSet {
  const decorations: Decoration[] = []
  doc.descendants((node, at) => {
    if (node.type.name === name) decorations.push(Decoration.node(at, at + node.nodeSize, {}))
  })
  return DecorationSet.create(doc, decorations)
}

/** The view of one kind of block in one editor. */
class LateView {
  readonly #name: string
  readonly #load: LoadBlockView
  readonly #editor: Editor
  #isLoading = false
  #hasPlugins = false

  constructor(name: string, load: LoadBlockView, editor: Editor) {
    this.#name = name
    this.#load = load
    this.#editor = editor
  }

  readonly create: NodeViewConstructor = (...shown) => {
    const loaded = loadedViews.get(this.#load)
    if (!loaded) void this.#request(shown[1])
    else if (!this.#hasPlugins) queueMicrotask(() => this.#addPlugins(loaded)) // not within a dispatch
    return loaded ? createGuarded(loaded.createView, shown) : this.#createPlain(shown[0], shown[1])
  }

  #createPlain(node: Node, view: EditorView): NodeView {
    const drawn = drawPlain(node)
    // Nothing handles a click yet, so the box must not show what is not stored.
    drawn.dom.addEventListener('click', keepUnchecked)
    const update = (next: Node) => (view.composing || !loadedViews.has(this.#load)) && next.sameMarkup(node)
    return { ...drawn, update }
  }

  /** A view that does not load is requested again when a block of this kind is drawn next. */
  async #request(view: EditorView): Promise<void> {
    if (this.#isLoading) return
    this.#isLoading = true
    const loaded = await this.#load().catch(() => null)
    this.#isLoading = false
    if (!loaded) return
    loadedViews.set(this.#load, loaded)
    this.#addPlugins(loaded)
    this.#redraw(view)
  }

  #addPlugins({ plugins }: BlockView): void {
    if (this.#hasPlugins || this.#editor.isDestroyed) return
    this.#hasPlugins = true
    for (const plugin of plugins?.() ?? []) this.#editor.registerPlugin(plugin)
  }

  /** A new element under the caret would end a composition. */
  #redraw(view: EditorView): void {
    if (view.isDestroyed) return
    if (view.composing) {
      const onEnd = () => setTimeout(() => this.#redraw(view))
      return view.dom.addEventListener('compositionend', onEnd, { once: true })
    }
    view.dispatch(view.state.tr.setMeta(redrawKey, this.#name))
    view.dispatch(view.state.tr)
  }
}

function keepUnchecked(event: Event): void {
  if (event.target instanceof HTMLInputElement) event.preventDefault()
}

/** The result that ProseMirror gets from a method of a view that has thrown. */
const afterFailure: ReadonlyMap<keyof NodeView, unknown> = new Map<keyof NodeView, unknown>([
  ['update', false],
  ['selectNode', undefined],
  ['deselectNode', undefined],
  ['setSelection', undefined],
  ['stopEvent', false],
  ['ignoreMutation', true],
  ['destroy', undefined],
])

function createGuarded(create: NodeViewConstructor, shown: Parameters<NodeViewConstructor>): NodeView {
  try {
    const view = create(...shown)
    for (const [name, result] of afterFailure) guardMethod(view, name, result)
    return view
  } catch (error) {
    reportError(error)
    return drawAsText(shown[0])
  }
}

/** A method that the view lacks is not added: ProseMirror has its own way then. */
function guardMethod(view: NodeView, name: keyof NodeView, result: unknown): void {
  const method = view[name] as ((...args: unknown[]) => unknown) | undefined
  if (!method) return
  Object.assign(view, {
    [name]: (...args: unknown[]) => {
      try {
        return method.apply(view, args)
      } catch (error) {
        reportError(error)
        return result
      }
    },
  })
}

interface DrawnNode {
  readonly dom: HTMLElement
  readonly contentDOM?: HTMLElement
}

type RenderSpec = (page: Document, spec: DOMOutputSpec, xmlNS: null, attributes: Attrs) => DrawnNode

/** As ProseMirror calls it: with the attributes, so that an array among them is never taken for an element. */
const renderSpec = DOMSerializer.renderSpec.bind(DOMSerializer) as RenderSpec

const drawPlain = (node: Node): DrawnNode =>
  renderSpec(document, node.type.spec.toDOM!(node), null, node.attrs)

function drawAsText(node: Node): NodeView {
  const { dom, contentDOM } = drawPlain(node)
  const note = document.createElement('span')
  note.className = 'failed-view-note'
  note.contentEditable = 'false'
  note.textContent = editorStrings.text.viewFailed
  if (contentDOM && contentDOM !== dom) {
    dom.prepend(note)
    return { dom, contentDOM }
  }
  const outer = document.createElement(node.isInline ? 'span' : 'div')
  outer.append(note, dom)
  return { dom: outer, ...(contentDOM && { contentDOM }) }
}
