/** A file in the editor: its name, how far its upload is, and a button that gives its bytes where they can be had. */
import { DOMSerializer, type Node } from '@tiptap/pm/model'
import type { Plugin } from '@tiptap/pm/state'
import type { EditorView, NodeView, NodeViewConstructor, ViewMutationRecord } from '@tiptap/pm/view'
import { fileLabelOf } from '@/lib/blocks/file-card/file-card.ts'
import { fileIdOf, fileNameOf } from '@/lib/files/file-reference.ts'
import { fileCardStrings } from '@/lib/strings/file-card.ts'
import { textBindingOf } from '@/components/binding/text-binding.ts'
import { documentIdOf } from '@/components/open-documents.ts'
import { writeInCaption } from '../caption/write-in-caption.ts'
import { FileNote, watchUploadNote } from '../stored-file/file-note.ts'
import { type CardState, FileDownload } from './file-download.ts'

export const createView: NodeViewConstructor = (node, view) => new FileCardView(node, view)

export const plugins = (): readonly Plugin[] => [writeInCaption()]

class FileCardView implements NodeView {
  readonly dom: HTMLElement
  readonly contentDOM = document.createElement('div')
  readonly #view: EditorView
  readonly #note = new FileNote(() => this.#view.focus())
  #node: Node
  #stopWatching = (): void => {}
  #download: FileDownload

  constructor(node: Node, view: EditorView) {
    this.#node = node
    this.#view = view
    this.dom = DOMSerializer.renderSpec(document, node.type.spec.toDOM!(node)).dom
    this.contentDOM.className = 'file-card-name'
    this.contentDOM.dataset.placeholder = fileCardStrings.addName
    this.#download = this.#createDownload()
    // The caret that goes to the beginning of the text finds no place before what is not text.
    this.dom.append(this.contentDOM, this.#download.button, this.#note.element)
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false
    const isSame = node.hasMarkup(node.type, this.#node.attrs)
    this.#node = node
    if (isSame) return true
    const { dom } = DOMSerializer.renderSpec(document, node.type.spec.toDOM!(node))
    for (const { name, value } of dom.attributes) this.dom.setAttribute(name, value)
    this.#download.destroy()
    const former = this.#download.button
    this.#download = this.#createDownload()
    former.replaceWith(this.#download.button)
    return true
  }

  destroy(): void {
    this.#download.destroy()
    this.#stopWatching()
  }

  stopEvent({ target }: Event): boolean {
    const { button } = this.#download
    return [button, this.#note.element].some((element) => element.contains(target as globalThis.Node))
  }

  /** A selection is the editor's own wherever it is: the browser puts the caret beside the button, too. */
  ignoreMutation({ type, target }: ViewMutationRecord): boolean {
    return type !== 'selection' && !this.contentDOM.contains(target)
  }

  #createDownload(): FileDownload {
    const { attrs } = this.#node
    const document = documentIdOf(textBindingOf(this.#view.state)?.text.doc)
    const file = fileIdOf(attrs)
    this.#stopWatching()
    const name = fileNameOf(attrs)
    this.#stopWatching = watchUploadNote({ file, document }, (content) => this.#note.show(content, name))
    return new FileDownload({ file, name, document }, (state) => {
      const words = cardWords(state)
      this.dom.dataset.label = words === null ? fileLabelOf(attrs) : `${fileLabelOf(attrs)}, ${words}`
    })
  }
}

/** Why the file cannot be had; null if it can. */
function cardWords(card: CardState): string | null {
  switch (card.state) {
    case 'device':
    case 'there':
      return null
    case 'arriving':
      return fileCardStrings.arriving(card.by, card.percent)
    case 'missing':
    case 'unknown':
      return fileCardStrings[card.state]
  }
}
