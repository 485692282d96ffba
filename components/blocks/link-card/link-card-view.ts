/** A link card in the editor: its link opens by a click, and a card without an address asks for one. */
import { DOMSerializer, type Node } from '@tiptap/pm/model'
import { type Plugin, TextSelection } from '@tiptap/pm/state'
import type { EditorView, NodeView, NodeViewConstructor, ViewMutationRecord } from '@tiptap/pm/view'
import { cardAddressOf } from '@/lib/blocks/link-card/link-card.ts'
import { linkProblem, withScheme } from '@/lib/text/link-address.ts'
import { linkCardStrings } from '@/lib/strings/link-card.ts'
import { writeInCaption } from '../caption/write-in-caption.ts'

export const createView: NodeViewConstructor = (node, view, getPos) => new LinkCardView(node, view, getPos)

export const plugins = (): readonly Plugin[] => [writeInCaption()]

class LinkCardView implements NodeView {
  readonly dom: HTMLElement
  readonly contentDOM: HTMLElement
  readonly #view: EditorView
  readonly #getPos: () => number | undefined
  readonly #address = document.createElement('div')
  #node: Node

  constructor(node: Node, view: EditorView, getPos: () => number | undefined) {
    this.#node = node
    this.#view = view
    this.#getPos = getPos
    const { dom, contentDOM } = this.#draw()
    this.dom = dom
    this.contentDOM = contentDOM!
    this.contentDOM.dataset.placeholder = linkCardStrings.addTitle
    this.#address.className = 'link-card-address'
    this.#address.contentEditable = 'false'
    this.dom.append(this.#address)
    this.#showAddress()
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false
    const before = cardAddressOf(this.#node.attrs)
    this.#node = node
    if (cardAddressOf(node.attrs) !== before) this.#showAddress()
    return true
  }

  stopEvent({ target }: Event): boolean {
    return this.#address.contains(target as globalThis.Node)
  }

  /** A selection is the editor's own wherever it is: the browser puts the caret beside the link, too. */
  ignoreMutation({ type, target }: ViewMutationRecord): boolean {
    return type !== 'selection' && !this.contentDOM.contains(target)
  }

  #draw() {
    return DOMSerializer.renderSpec(document, this.#node.type.spec.toDOM!(this.#node))
  }

  #showAddress(): void {
    this.dom.querySelector(':scope > a')?.remove()
    const link = this.#draw().dom.querySelector('a')
    this.#address.replaceChildren(...(link ? [link] : this.#view.editable ? [this.#createField()] : []))
  }

  #createField(): HTMLInputElement {
    const field = document.createElement('input')
    field.type = 'url'
    field.className = 'link-card-field'
    field.ariaLabel = linkCardStrings.address
    field.placeholder = linkCardStrings.askAddress
    field.addEventListener('input', () => field.setCustomValidity(''))
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        field.value = ''
        this.#focusTitle()
      }
      if (event.key !== 'Enter' && (event.key !== 'Tab' || event.shiftKey || field.value.trim() === ''))
        return
      event.preventDefault()
      if (this.#setAddress(field)) this.#focusTitle()
    })
    // What stands in the field is in no document: whoever goes on elsewhere means it.
    field.addEventListener('blur', () => {
      if (linkProblem(field.value.trim()) === null) this.#setAddress(field)
    })
    queueMicrotask(() => this.#holdsCaret() && field.focus())
    return field
  }

  /** Returns false, and says why, where it is none. */
  #setAddress(field: HTMLInputElement): boolean {
    const problem = linkProblem(field.value.trim())
    const at = this.#getPos()
    const { state, editable } = this.#view
    field.setCustomValidity(problem ?? '')
    if (problem !== null) return field.reportValidity()
    if (at === undefined || !editable) return false
    this.#view.dispatch(state.tr.setNodeAttribute(at, 'href', withScheme(field.value.trim())))
    return true
  }

  #focusTitle(): void {
    const at = this.#getPos()
    if (at === undefined) return
    const { tr, doc } = this.#view.state
    this.#view.dispatch(tr.setSelection(TextSelection.create(doc, at + this.#node.nodeSize - 2)))
    this.#view.focus()
  }

  /** A card that was made here asks at once; one that somebody else makes takes no focus away. */
  #holdsCaret(): boolean {
    const at = this.#getPos()
    const { from, to } = this.#view.state.selection
    return this.#view.hasFocus() && at !== undefined && from > at && to < at + this.#node.nodeSize
  }
}
