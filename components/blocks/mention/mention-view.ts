/** Shows a mention by the present name of what it mentions. A click, or Enter, opens the document or shows the person's caret. */
import type { Node } from '@tiptap/pm/model'
import type { EditorView, NodeView, NodeViewConstructor } from '@tiptap/pm/view'
import { showInText } from '@/components/following/show-in-text.ts'
import { mentionOf, mentionText } from '@/lib/blocks/mention/mention.ts'
import { openOnRequest } from '../edit-node.ts'
import { mentionContextOf } from './mention-context.ts'
import { type MentionContext, type MentionNames, mentionNamesOf } from './mention-names.ts'
import { openMention } from './open-mention.ts'

export const createView: NodeViewConstructor = (node, view) => new MentionView(node, view)

class MentionView implements NodeView {
  readonly dom = document.createElement('span')
  readonly #context: MentionContext | null
  readonly #names: MentionNames | null
  readonly #unsubscribe: (() => void) | undefined
  #node: Node

  constructor(node: Node, view: EditorView) {
    this.#node = node
    this.#context = mentionContextOf(view.state)
    this.#names = this.#context && mentionNamesOf(this.#context)
    this.dom.className = 'mention'
    this.#draw()
    this.#unsubscribe = this.#names?.subscribe(() => this.#draw())
    openOnRequest(this.dom, () => false, this.#open)
    this.dom.addEventListener('keydown', ({ key }) => key === 'Enter' && this.#open())
    // A reader goes from one mention to the next with Tab. A writer’s Tab belongs to the text.
    if (!view.editable) this.dom.tabIndex = 0
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false
    this.#node = node
    this.#draw()
    return true
  }

  destroy(): void {
    this.#unsubscribe?.()
  }

  selectNode(): void {
    this.dom.classList.add('ProseMirror-selectednode')
  }

  deselectNode(): void {
    this.dom.classList.remove('ProseMirror-selectednode')
  }

  ignoreMutation({ type }: { readonly type: string }): boolean {
    return type !== 'selection'
  }

  get #name(): string {
    const mention = mentionOf(this.#node.attrs)
    return this.#names?.nameOf(mention) ?? mention.label
  }

  #draw(): void {
    const { kind, id } = mentionOf(this.#node.attrs)
    const { dataset } = this.dom
    const letters = mentionText({ kind, label: this.#name })
    if (this.dom.textContent !== letters) this.dom.textContent = letters
    dataset['mention'] = kind
    if (id === null) delete dataset['id']
    else dataset['id'] = id
    this.dom.role = id === null ? null : 'link'
  }

  readonly #open = (): void => {
    const mention = mentionOf(this.#node.attrs)
    if (this.#context) openMention(mention, this.#name, this.#context, (caret) => showInText(this.dom, caret))
  }
}
