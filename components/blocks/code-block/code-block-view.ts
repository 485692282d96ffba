/** Code in the editor: a bar above it, and colours. */
import { DOMSerializer, type Node } from '@tiptap/pm/model'
import { type Plugin, TextSelection } from '@tiptap/pm/state'
import type { EditorView, NodeView, NodeViewConstructor, ViewMutationRecord } from '@tiptap/pm/view'
import { codeClassOf, codeLanguageOf } from '@/lib/blocks/code-block/code-block.ts'
import { skipUnseen } from '../skip-unseen.ts'
import { isBesideContent } from '../view-parts.ts'
import { CodeBar } from './code-bar.ts'
import { codeHighlighting } from './code-highlighting.ts'
import { highlightCode } from './code-tokens.ts'

export const createView: NodeViewConstructor = (node, view, getPos) => new CodeBlockView(node, view, getPos)

export const plugins = (): readonly Plugin[] => [codeHighlighting(highlightCode)]

class CodeBlockView implements NodeView {
  readonly dom: HTMLElement
  readonly contentDOM: HTMLElement
  readonly #view: EditorView
  readonly #getPos: () => number | undefined
  readonly #bar: CodeBar
  #node: Node

  constructor(node: Node, view: EditorView, getPos: () => number | undefined) {
    this.#node = node
    this.#view = view
    this.#getPos = getPos
    const { dom, contentDOM } = DOMSerializer.renderSpec(document, node.type.spec.toDOM!(node))
    this.dom = dom
    this.contentDOM = contentDOM!
    const chooseLanguage = (language: string | null): void => this.#setLanguage(language)
    this.#bar = new CodeBar(this.dom, {
      language: () => codeLanguageOf(this.#node.attrs),
      letters: () => this.#node.textContent,
      get chooseLanguage() {
        return view.editable ? chooseLanguage : undefined
      },
      select: () => this.#select(),
    })
    // A caret finds no place before what is not text.
    this.dom.append(this.#bar.bar, this.#bar.gutter)
    skipUnseen(this.dom)
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false
    this.#node = node
    this.contentDOM.className = codeClassOf(node.attrs) ?? ''
    this.#bar.show()
    return true
  }

  destroy(): void {
    this.#bar.destroy()
  }

  stopEvent({ target }: Event): boolean {
    return this.#bar.bar.contains(target as globalThis.Node)
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    return isBesideContent(mutation, this.contentDOM)
  }

  #setLanguage(language: string | null): void {
    const at = this.#getPos()
    const { state, editable } = this.#view
    if (at !== undefined && editable) this.#view.dispatch(state.tr.setNodeAttribute(at, 'language', language))
  }

  #select(): void {
    const at = this.#getPos()
    if (at === undefined) return
    const { tr, doc } = this.#view.state
    this.#view.dispatch(tr.setSelection(TextSelection.create(doc, at + 1, at + this.#node.nodeSize - 1)))
    this.#view.focus()
  }
}
