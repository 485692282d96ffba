import { DOMSerializer, type Node } from '@tiptap/pm/model'
import type { EditorView, NodeView, NodeViewConstructor, ViewMutationRecord } from '@tiptap/pm/view'
import { calloutKindOf, calloutNames } from '@/lib/blocks/callout/callout-kinds.ts'
import { calloutStrings } from '@/lib/strings/callout.ts'
import { type BlockPopup, openBlockPopup } from '../open-block-popup.tsx'
import { createViewButton, isBesideContent } from '../view-parts.ts'
import { CalloutMenu } from './callout-menu.tsx'

/** The word on a callout is the button of a menu that changes its kind. */
export const createView: NodeViewConstructor = (node, view, getPos) => new CalloutView(node, view, getPos)

class CalloutView implements NodeView {
  readonly dom: HTMLElement
  readonly contentDOM = document.createElement('div')
  readonly #button = createViewButton('callout-kind')
  readonly #view: EditorView
  readonly #getPos: () => number | undefined
  #node: Node
  #menu: BlockPopup | null = null

  constructor(node: Node, view: EditorView, getPos: () => number | undefined) {
    this.#node = node
    this.#view = view
    this.#getPos = getPos
    const { dom } = DOMSerializer.renderSpec(document, node.type.spec.toDOM!(node))
    this.dom = dom
    this.contentDOM.className = 'callout-content'
    const button = this.#button
    button.ariaHasPopup = 'menu'
    button.addEventListener('click', this.#openMenu)
    // The caret that goes to the beginning of the text finds no place before a button.
    this.dom.append(this.contentDOM, button)
    this.#show()
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false
    this.#node = node
    this.#show()
    return true
  }

  destroy(): void {
    this.#menu?.close()
  }

  stopEvent(event: Event): boolean {
    return this.#button.contains(event.target as globalThis.Node)
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    return isBesideContent(mutation, this.contentDOM)
  }

  #show(): void {
    const kind = calloutKindOf(this.#node.attrs)
    const { dataset } = this.dom
    dataset.callout = kind
    dataset.label = calloutNames[kind]
    // The word is drawn, so that it is no letter of the text.
    this.#button.dataset.label = calloutNames[kind]
    this.#button.ariaLabel = calloutStrings.kind(calloutNames[kind])
    this.#button.disabled = !this.#view.editable
  }

  readonly #openMenu = (): void => {
    this.#menu = openBlockPopup(CalloutMenu, this.#button, {
      kind: calloutKindOf(this.#node.attrs),
      onChoose: (kind) => {
        const at = this.#getPos()
        const { state, editable } = this.#view
        if (at !== undefined && editable) this.#view.dispatch(state.tr.setNodeAttribute(at, 'kind', kind))
      },
    })
  }
}
