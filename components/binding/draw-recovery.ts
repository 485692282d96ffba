/**
 * An editor that could not draw a change of the shared text shows something else than the text. From then on it takes no edit until it has
 * drawn the text again. It tries at once, then again without the decorations for carets and highlights. If that fails as well, it stops for
 * good and says so (W9).
 *
 *   current ── a change is not drawn, or a dispatch throws ─▶ stale ── redrawn ────▶ current
 *                                                             └──── redraw fails ──▶ stopped
 *
 * Knows the binding and the editor; does not know why something threw, or what the shared text says.
 */
import { Plugin, type PluginKey, type Transaction } from '@tiptap/pm/state'
import type { EditorView, NodeViewConstructor } from '@tiptap/pm/view'
import { Subscribable } from '@/lib/subscribable.ts'
import { isDrawn, type TextBinding } from './text-binding.ts'

type DrawState = 'current' | 'stale' | 'stopped'

export class DrawRecovery {
  readonly plugin: Plugin
  readonly #binding: TextBinding
  readonly #decorationPlugins: readonly PluginKey[]
  readonly #listeners = new Subscribable()
  #state: DrawState = 'current'
  #view: EditorView | null = null
  /** The text of the current dispatch is on screen; whatever throws from then on is another plugin. */
  #isRendered = false
  #redraws = 0

  /** @param decorationPlugins The keys of plugins that only decorate the text: the text is whole without them. */
  constructor(binding: TextBinding, decorationPlugins: readonly PluginKey[]) {
    this.#binding = binding
    this.#decorationPlugins = decorationPlugins
    this.plugin = this.#createPlugin()
  }

  get state(): DrawState {
    return this.#state
  }

  /** Notifies the listener when the editor stops. Returns a function that unsubscribes. */
  readonly subscribe = this.#listeners.subscribe

  /** Reports an error of `next` and does not rethrow it: Yjs and the session would only pass it on. */
  dispatch(transaction: Transaction, next: (transaction: Transaction) => void): void {
    const view = this.#view
    if (!view) return next(transaction)
    const [before, wasRendered] = [view.state, this.#isRendered]
    this.#isRendered = false
    try {
      next(transaction)
    } catch (error) {
      reportError(error)
      const isUntouched = view.state === before && !transaction.docChanged
      if (!this.#isRendered && !isUntouched) this.#onStale()
      // The editor holds what the person typed, and the plugin that writes it may not have been called.
      if (!view.isDestroyed) this.#binding.flush()
    } finally {
      this.#isRendered = wasRendered
    }
    if (isDrawn(transaction) && view.state === before) this.#onStale()
  }

  #createPlugin(): Plugin {
    return new Plugin({
      filterTransaction: (transaction) =>
        this.#state === 'current' || !transaction.docChanged || isDrawn(transaction),
      props: { editable: () => this.#state !== 'stopped' },
      view: (view) => {
        this.#view = view
        return {
          update: () => {
            this.#isRendered = true
          },
          destroy: () => {
            this.#view = null
          },
        }
      },
    })
  }

  #onStale(): void {
    if (this.#state !== 'current') return
    this.#state = 'stale'
    // The redraw runs after all observers and dispatches, and before the next key press.
    queueMicrotask(() => this.#recover())
  }

  #recover(): void {
    const view = this.#view
    if (!view || view.isDestroyed || this.#state !== 'stale') return
    const { plugins } = view.state
    const withoutDecorations = pluginsWithout(plugins, this.#decorationPlugins)
    if (this.#tryRedraw(view, plugins) || this.#tryRedraw(view, withoutDecorations)) this.#state = 'current'
    else this.#stop(view)
  }

  /** Draws the shared text with these plugins into new elements, because the failed draw may have left the old ones incomplete. */
  #tryRedraw(view: EditorView, plugins: readonly Plugin[]): boolean {
    try {
      const state = view.state.plugins === plugins ? view.state : view.state.reconfigure({ plugins })
      view.setProps({
        state,
        nodeViews: { ...view.props.nodeViews, [`redraw${++this.#redraws}`]: unusedNodeView },
      })
      this.#binding.redraw()
      if (this.#binding.reading?.node !== view.state.doc) throw new Error('The shared text was not drawn.')
      return true
    } catch (error) {
      reportError(error)
      return false
    }
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
}

/** ProseMirror redraws everything when its node views change. This one has a name that no node has. */
const unusedNodeView: NodeViewConstructor = () => {
  throw new Error('There is no such node.')
}

export const pluginsWithout = (plugins: readonly Plugin[], keys: readonly PluginKey[]): readonly Plugin[] =>
  plugins.filter(({ spec: { key } }) => !key || !keys.includes(key))
