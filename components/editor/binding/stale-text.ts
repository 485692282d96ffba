/**
 * An editor that failed to apply a change of the shared text would delete that change with the next key press, because the binding writes
 * all differences. So from then on such an editor writes nothing until it has redrawn the shared text. It tries at once, then again without
 * the decorations for carets and highlights. If that fails as well, it stops for good and says so (W9).
 *
 *   current ── a change is not applied, or a dispatch throws ─▶ stale ── redrawn ────▶ current
 *                                                               └──── redraw fails ──▶ stopped
 *
 * Knows the binding and the editor; does not know why something threw, or what the shared text says.
 */
import { Extension } from '@tiptap/core'
import { Plugin, type PluginKey, TextSelection, type EditorState, type Transaction } from '@tiptap/pm/state'
import type { EditorView, NodeViewConstructor } from '@tiptap/pm/view'
import { relativePositionToAbsolutePosition, ySyncPluginKey } from '@tiptap/y-tiptap'
import * as Y from 'yjs'
import {
  type YTiptapBinding,
  yTiptapBindingOf,
  ignoreChanges,
  isFromSharedText,
  type RelativeSelection,
} from './y-tiptap-binding.ts'
import { Subscribable } from '@/lib/subscribable.ts'

interface StaleTextOptions {
  readonly fragment: Y.XmlFragment
  /** The keys of plugins that only decorate the text: the text is whole without them. */
  readonly decorationPlugins: readonly PluginKey[]
}

interface StaleTextStorage {
  fence: StaleTextFence
}

declare module '@tiptap/core' {
  interface Storage {
    staleText: StaleTextStorage
  }
}

export const StaleText = Extension.create<StaleTextOptions, StaleTextStorage>({
  name: 'staleText',
  // This extension's dispatch wraps those of all others, and its view is updated first, right after the text is drawn.
  priority: 10_000,
  addOptions: () => ({ fragment: new Y.XmlFragment(), decorationPlugins: [] }),
  addStorage() {
    return { fence: new StaleTextFence(this.options) }
  },
  addProseMirrorPlugins() {
    const { fence } = this.storage
    return [
      new Plugin({
        filterTransaction: (transaction) =>
          fence.state === 'current' || !transaction.docChanged || isFromSharedText(transaction),
        props: { editable: () => fence.state !== 'stopped' },
        view: (view) => ({ update: fence.onRender, destroy: fence.attach(view) }),
      }),
    ]
  },
  dispatchTransaction({ transaction, next }) {
    this.storage.fence.dispatch(transaction, next)
  },
})

type FenceState = 'current' | 'stale' | 'stopped'

class StaleTextFence {
  readonly #fragment: Y.XmlFragment
  readonly #decorationPlugins: readonly PluginKey[]
  readonly #listeners = new Subscribable()
  #state: FenceState = 'current'
  #view: EditorView | null = null
  /** The binding is writing what this editor has just dispatched. */
  #isWriting = false
  /** The editor has applied the shared text as the current Yjs transaction left it. */
  #hasApplied = false
  /** The text of the current dispatch is on screen; whatever throws from then on is another plugin. */
  #isRendered = false
  /** The `mux` that the binding gets back when it may write again. */
  #formerMux: YTiptapBinding['mux'] | null = null
  #selection: RelativeSelection | null = null
  #redraws = 0

  constructor({ fragment, decorationPlugins }: StaleTextOptions) {
    this.#fragment = fragment
    this.#decorationPlugins = decorationPlugins
  }

  get state(): FenceState {
    return this.#state
  }

  /** Notifies the listener when the editor stops. Returns a function that unsubscribes. */
  readonly subscribe = this.#listeners.subscribe

  /** Returns a function that detaches it. */
  attach(view: EditorView): () => void {
    const { doc } = this.#fragment
    this.#view = view
    this.#isRendered = true
    doc?.on('beforeObserverCalls', this.#beforeObservers)
    doc?.on('afterTransaction', this.#afterTransaction)
    return () => {
      doc?.off('beforeObserverCalls', this.#beforeObservers)
      doc?.off('afterTransaction', this.#afterTransaction)
      this.#view = null
    }
  }

  onRender = (): void => {
    this.#isRendered = true
  }

  /** Reports an error of `next` and does not rethrow it: Yjs and the session would only pass it on. */
  dispatch(transaction: Transaction, next: (transaction: Transaction) => void): void {
    const view = this.#view
    if (!view) return next(transaction)
    const before = view.state
    const [wasWriting, wasRendered] = [this.#isWriting, this.#isRendered]
    this.#isWriting = !isFromSharedText(transaction)
    this.#isRendered = false
    try {
      next(transaction)
      if (isFromSharedText(transaction)) this.#hasApplied = view.state !== before
    } catch (error) {
      this.#onDispatchError(error, transaction, before)
    } finally {
      this.#isWriting = wasWriting
      this.#isRendered = wasRendered
    }
  }

  #beforeObservers = (): void => {
    this.#hasApplied = false
  }

  /** Yjs calls this after all observers, even if one of them threw. */
  #afterTransaction = ({ changedParentTypes }: Y.Transaction): void => {
    const types: ReadonlyMap<unknown, unknown> = changedParentTypes
    if (types.has(this.#fragment) && !this.#isWriting && !this.#hasApplied) this.#onStale()
  }

  #onDispatchError(error: unknown, transaction: Transaction, before: EditorState): void {
    reportError(error)
    const isChanged = this.#view?.state !== before
    if (isFromSharedText(transaction)) this.#hasApplied = isChanged && this.#isRendered
    else if (isChanged && transaction.docChanged) this.#writeToSharedText()
    const isUntouched = !isChanged && !transaction.docChanged
    if (!this.#isRendered && !isUntouched) this.#onStale()
  }

  /** Writes letters that the person typed and the editor holds: the plugin that writes them to the shared text may not have been called. */
  #writeToSharedText(): void {
    const { binding, view } = this.#viewAndBinding()
    if (!binding || !view || this.#state !== 'current') return
    try {
      const write = (): void => binding._prosemirrorChanged(view.state.doc)
      this.#isWriting = true
      binding.mux(() => binding.doc.transact(write, ySyncPluginKey))
    } catch (error) {
      reportError(error)
    }
  }

  #onStale(): void {
    const { binding } = this.#viewAndBinding()
    if (!binding || this.#state !== 'current' || binding.mux === ignoreChanges) return
    this.#state = 'stale'
    this.#selection = binding.beforeTransactionSelection
    this.#formerMux = binding.mux
    binding.mux = () => {}
    // The redraw runs after all observers and dispatches, and before the next key press.
    queueMicrotask(() => this.#recover())
  }

  #recover(): void {
    const { view, binding } = this.#viewAndBinding()
    if (!view || binding?.mux === ignoreChanges || this.#state !== 'stale') return
    const { plugins } = view.state
    const withoutDecorations = pluginsWithout(plugins, this.#decorationPlugins)
    if (this.#tryRedraw(plugins) || this.#tryRedraw(withoutDecorations)) return
    this.#stop(view)
  }

  /** Draws the shared text with these plugins into new elements, because the failed draw may have left the old ones incomplete. */
  #tryRedraw(plugins: readonly Plugin[]): boolean {
    const { view, binding } = this.#viewAndBinding()
    if (!view || !binding || !this.#formerMux) return false
    try {
      const state = view.state.plugins === plugins ? view.state : view.state.reconfigure({ plugins })
      view.setProps({
        state,
        nodeViews: { ...view.props.nodeViews, [`redraw${++this.#redraws}`]: unusedNodeView },
      })
      this.#hasApplied = false
      binding.mux = this.#formerMux
      binding._forceRerender()
      if (!this.#hasApplied) throw new Error('The shared text was not drawn.')
    } catch (error) {
      binding.mux = () => {}
      reportError(error)
      return false
    }
    this.#hasApplied = false
    this.#formerMux = null
    this.#state = 'current'
    this.#restoreSelection(view, binding)
    return true
  }

  #restoreSelection(view: EditorView, binding: YTiptapBinding): void {
    const selection = this.#selection
    this.#selection = null
    if (!selection) return
    const [anchor, head] = [selection.anchor, selection.head].map((position) =>
      relativePositionToAbsolutePosition(binding.doc, binding.type, position, binding.mapping),
    )
    const { doc, tr } = view.state
    if (anchor == null || head == null || Math.max(anchor, head) > doc.content.size) return
    const restored = TextSelection.between(doc.resolve(anchor), doc.resolve(head))
    view.dispatch(tr.setSelection(restored))
  }

  #stop(view: EditorView): void {
    this.#state = 'stopped'
    try {
      view.setProps({}) // makes the plugins decide again whether the text can be edited
    } catch (error) {
      reportError(error)
    }
    view.dom.contentEditable = 'false'
    this.#listeners.notify()
  }

  #viewAndBinding(): { view: EditorView | null; binding: YTiptapBinding | null } {
    const view = this.#view
    return view && !view.isDestroyed
      ? { view, binding: yTiptapBindingOf(view.state) }
      : { view: null, binding: null }
  }
}

/** ProseMirror redraws everything when its node views change. This one has a name that no node has. */
const unusedNodeView: NodeViewConstructor = () => {
  throw new Error('There is no such node.')
}

export const pluginsWithout = (plugins: readonly Plugin[], keys: readonly PluginKey[]): readonly Plugin[] =>
  plugins.filter(({ spec: { key } }) => !key || !keys.includes(key))
