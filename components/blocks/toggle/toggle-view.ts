/** A toggle in the editor: a button that shows and hides what is below its summary. */
import type { Node } from '@tiptap/pm/model'
import { Plugin, type Selection, TextSelection } from '@tiptap/pm/state'
import type { EditorView, NodeView, NodeViewConstructor, ViewMutationRecord } from '@tiptap/pm/view'
import * as Y from 'yjs'
import { ownDirection } from '@/lib/blocks/own-direction.ts'
import { toggle } from '@/lib/blocks/toggle/toggle.ts'
import { itemOf } from '@/lib/yjs-internals/shared-type.ts'
import { sharedPlaceOf } from '@/components/binding/positions.ts'
import { textBindingOf } from '@/components/binding/text-binding.ts'
import { toggleStrings } from '@/lib/strings/toggle.ts'
import { createViewButton, isBesideContent } from '../view-parts.ts'
import { openTogglesAround } from '@/components/following/open-toggles-around.ts'
import { isToggleOpen, rememberToggle } from './open-toggles.ts'
import { toggleAround } from './toggle-commands.ts'

export const createView: NodeViewConstructor = (node, view, getPos) => new ToggleView(node, view, getPos)

export const plugins = (): readonly Plugin[] => [
  new Plugin({
    props: {
      handleDOMEvents: {
        // Before a line break, which these keys mean elsewhere.
        keydown: (view, event) => isSwitchKey(event) && switchToggleAtCaret(view, event),
      },
    },
    // A caret that goes into hidden blocks is seen.
    view: () => ({
      update(view, { selection }) {
        if (view.hasFocus() && !view.state.selection.eq(selection)) showSelection(view, view.state.selection)
      },
    }),
  }),
]

const isSwitchKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key === 'Enter' && (ctrlKey || metaKey) && !altKey && !shiftKey

function switchToggleAtCaret(view: EditorView, event: KeyboardEvent): boolean {
  const { $from } = view.state.selection
  const found = $from.parent.type.spec.code ? null : toggleAround($from)
  if (!found) return false
  event.preventDefault()
  const element = view.nodeDOM(found.at) as Element | null
  element?.querySelector<HTMLElement>(':scope > .toggle-button')?.click()
  return true
}

function showSelection(view: EditorView, { $head }: Selection): void {
  const found = toggleAround($head)
  if (found && $head.index(found.depth) > 0) openTogglesAround(view.domAtPos($head.pos).node)
}

class ToggleView implements NodeView {
  readonly dom = document.createElement('div')
  readonly contentDOM = document.createElement('div')
  readonly #button = createViewButton('toggle-button')
  readonly #view: EditorView
  readonly #getPos: () => number | undefined
  #node: Node

  constructor(node: Node, view: EditorView, getPos: () => number | undefined) {
    this.#node = node
    this.#view = view
    this.#getPos = getPos
    this.dom.className = 'toggle'
    this.dom.dir = ownDirection.dir
    this.contentDOM.className = 'toggle-content'
    this.#button.addEventListener('click', () => this.#choose(!this.#isOpen))
    this.dom.addEventListener('beforematch', () => this.#show(true))
    this.dom.append(this.contentDOM, this.#button)
    this.#show(this.#isOpenAtFirst())
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false
    this.#node = node
    this.#show(this.#isOpen)
    return true
  }

  stopEvent({ target }: Event): boolean {
    return this.#button.contains(target as globalThis.Node)
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    return isBesideContent(mutation, this.contentDOM)
  }

  get #isOpen(): boolean {
    return this.dom.dataset.open === 'true'
  }

  #choose(isOpen: boolean): void {
    if (!isOpen) this.#moveCaretToSummary()
    this.#show(isOpen)
    const stored = this.#stored()
    if (!stored) return
    rememberToggle(idOf(stored), isOpen)
    if (isOpen) closedHere.delete(idOf(stored))
    else closedHere.add(idOf(stored))
  }

  #show(isOpen: boolean): void {
    const summary = this.#node.firstChild?.textContent.slice(0, 100) ?? ''
    this.dom.dataset.open = String(isOpen)
    this.#button.ariaExpanded = String(isOpen)
    this.#button.ariaLabel = toggleStrings.content(summary)
  }

  #holdsCaret(): boolean {
    const at = this.#getPos()
    const { from, to } = this.#view.state.selection
    return this.#view.hasFocus() && at !== undefined && to > at && from < at + this.#node.nodeSize
  }

  #moveCaretToSummary(): void {
    const at = this.#getPos()
    if (at === undefined || !this.#holdsCaret()) return
    const { state } = this.#view
    const summaryEnd = at + this.#node.firstChild!.nodeSize
    this.#view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, summaryEnd)))
  }

  /** What this window has made is open, also before it is in the shared text. Of others' toggles a person opens some. */
  #isOpenAtFirst(): boolean {
    const stored = this.#stored()
    if (stored === null || this.#holdsCaret()) return true
    const isMadeHere = itemOf(stored)!.id.client === stored.doc?.clientID
    return isToggleOpen(idOf(stored)) || (isMadeHere && !closedHere.has(idOf(stored)))
  }

  /** The shared element. Null where nothing is stored for the toggle. */
  #stored(): Y.XmlElement | null {
    const at = this.#getPos()
    const reading = textBindingOf(this.#view.state)?.reading
    if (at === undefined || !reading) return null
    const { type, index } = sharedPlaceOf(reading, at)
    const parent: unknown = type
    const stored: unknown = parent instanceof Y.XmlFragment ? parent.get(index) : null
    return stored instanceof Y.XmlElement && stored.nodeName === toggle.name ? stored : null
  }
}

/** Toggles that were made and closed in this window: they stay closed when they are drawn anew. */
const closedHere = new Set<string>()

/** The same for as long as the element lives. */
function idOf(stored: Y.XmlElement): string {
  const { client, clock } = itemOf(stored)!.id
  return `${client}-${clock}`
}
