/**
 * A picture in the editor: its bytes come from this device by the file id, and its controls stand beside its caption. What it shows besides
 * the text (whether the bytes are here, a width that is being dragged) is its own, and in no document.
 */
import { DOMSerializer, type Node } from '@tiptap/pm/model'
import { NodeSelection, type Plugin } from '@tiptap/pm/state'
import type { EditorView, NodeView, NodeViewConstructor, ViewMutationRecord } from '@tiptap/pm/view'
import { fileIdOf, fileNameOf } from '@/lib/files/file-reference.ts'
import { altTextOf, pictureSizeOf, pictureWidthOf } from '@/lib/blocks/picture/picture-attributes.ts'
import { pictureStrings } from '@/lib/strings/picture.ts'
import { uploadsStrings } from '@/lib/strings/uploads.ts'
import { textBindingOf } from '@/components/binding/text-binding.ts'
import { documentIdOf } from '@/components/open-documents.ts'
import { writeInCaption } from '../caption/write-in-caption.ts'
import { nameSourceOfFiles } from '../stored-file/copied-files.ts'
import { FileNote, type FileNoteContent, watchUploadNote } from '../stored-file/file-note.ts'
import { type BlockPopup, openBlockPopup } from '../open-block-popup.tsx'
import { AltTextDialog } from './alt-text-dialog.tsx'
import { PictureFullView } from './picture-full-view.tsx'
import { PictureWidthSlider } from './picture-width-slider.ts'
import { pictureSentence } from './picture-sentence.ts'
import { type PictureState, ShownPicture } from './shown-picture.ts'

export const createView: NodeViewConstructor = (node, view, getPos) => new PictureView(node, view, getPos)

/** The source of files is named for file cards, too: an editor asks the first plugin that writes its clipboard. */
export const plugins = (): readonly Plugin[] => [writeInCaption(), nameSourceOfFiles()]

class PictureView implements NodeView {
  readonly dom: HTMLElement
  readonly contentDOM: HTMLElement
  readonly #frame = document.createElement('div')
  readonly #image: HTMLImageElement
  readonly #altButton = createButton('picture-alt')
  readonly #viewButton = createButton('picture-view')
  readonly #slider: PictureWidthSlider
  readonly #view: EditorView
  readonly #getPos: () => number | undefined
  readonly #note = new FileNote(() => this.#view.focus())
  #node: Node
  #shown: ShownPicture | null = null
  #state: PictureState = { state: 'loading' }
  #stopWatching = (): void => {}
  #uploadNote: FileNoteContent | null = null
  #popup: BlockPopup | null = null

  constructor(node: Node, view: EditorView, getPos: () => number | undefined) {
    this.#node = node
    this.#view = view
    this.#getPos = getPos
    const { dom, contentDOM } = DOMSerializer.renderSpec(document, node.type.spec.toDOM!(node))
    this.dom = dom
    this.contentDOM = contentDOM!
    this.#image = this.dom.querySelector('img')!
    this.#image.draggable = false
    this.#slider = new PictureWidthSlider(this.dom, this.#frame, (percent) => this.#set('percent', percent))
    this.#altButton.addEventListener('click', this.#openAltText)
    this.#viewButton.addEventListener('click', this.#openFullView)
    this.#image.addEventListener('click', this.#select)
    this.#image.addEventListener('dblclick', this.#openFullView)
    this.#viewButton.dataset.label = pictureStrings.fullView
    this.#viewButton.ariaLabel = pictureStrings.fullView
    this.#frame.className = 'picture-frame'
    this.#frame.contentEditable = 'false'
    this.#frame.append(
      this.#image,
      this.#note.element,
      this.#altButton,
      this.#viewButton,
      this.#slider.handle,
    )
    this.contentDOM.dataset.placeholder = pictureStrings.addCaption
    // The caret that goes to the beginning of the text finds no place before what is not text.
    this.dom.append(this.#frame)
    this.#show()
    this.#showFile()
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false
    const isSameFile = fileIdOf(node.attrs) === fileIdOf(this.#node.attrs)
    this.#node = node
    this.#show()
    if (!isSameFile) this.#showFile()
    return true
  }

  destroy(): void {
    this.#shown?.destroy()
    this.#stopWatching()
    this.#slider.cancel()
    this.#popup?.close()
  }

  stopEvent({ target }: Event): boolean {
    return target !== this.#image && this.#frame.contains(target as globalThis.Node)
  }

  /** A selection is the editor's own wherever it is: the browser puts the caret beside the button, too. */
  ignoreMutation({ type, target }: ViewMutationRecord): boolean {
    return type !== 'selection' && !this.contentDOM.contains(target)
  }

  /** Copies the attributes that the schema draws to the elements that are there: a new image would load again. */
  #show(): void {
    const { attrs } = this.#node
    const { dom: drawn } = DOMSerializer.renderSpec(document, this.#node.type.spec.toDOM!(this.#node))
    // A width that is being dragged stays: the slider shows it.
    copyAttributes(drawn, this.dom, /^data-(?!shown|percent)/)
    copyAttributes(drawn.querySelector('img')!, this.#image, /^(?:alt|width|height)$/)
    const size = pictureSizeOf(attrs)
    this.#image.style.aspectRatio = size ? `${size.width} / ${size.height}` : ''
    const [alt, isEditable] = [altTextOf(attrs), this.#view.editable]
    const label = alt === null ? pictureStrings.addAltText : pictureStrings.altText
    this.#altButton.dataset.label = label
    this.#altButton.ariaLabel = label
    this.#altButton.hidden = !isEditable
    this.#slider.show(pictureWidthOf(attrs), isEditable)
  }

  #showFile(): void {
    this.#shown?.destroy()
    this.#stopWatching()
    this.#uploadNote = null
    const document = documentIdOf(textBindingOf(this.#view.state)?.text.doc)
    const key = { file: fileIdOf(this.#node.attrs), document }
    this.#shown = new ShownPicture(this.#image, key, (state) => {
      this.#state = state
      this.#showNote()
    })
    this.#stopWatching = watchUploadNote(key, (content) => {
      this.#uploadNote = content
      this.#showNote()
    })
  }

  #showNote(): void {
    const { state } = this.#state
    this.dom.dataset.shown = state
    this.#viewButton.hidden = state !== 'shown'
    this.#note.show(this.#uploadNote ?? this.#pictureNote(), fileNameOf(this.#node.attrs))
  }

  #pictureNote(): FileNoteContent | null {
    const text = pictureSentence(this.#state, fileNameOf(this.#node.attrs))
    if (text === null) return null
    const action = { label: uploadsStrings.retry, run: () => this.#shown?.retry() }
    const canRetry = ['unknown', 'unreadable'].includes(this.#state.state)
    return { text, look: 'quiet', ...(canRetry && { action }) }
  }

  #set(name: string, value: unknown): void {
    const at = this.#getPos()
    const { state, editable } = this.#view
    if (at === undefined || !editable) return
    this.#view.dispatch(state.tr.setNodeAttribute(at, name, value))
  }

  readonly #openAltText = (): void => {
    this.#popup = openBlockPopup(AltTextDialog, this.#altButton, {
      alt: altTextOf(this.#node.attrs),
      onSave: (alt: string) => this.#set('alt', alt),
    })
  }

  /** ProseMirror selects by a click only what has no content, and the caption is content. */
  readonly #select = (): void => {
    const [at, { state }] = [this.#getPos(), this.#view]
    if (at === undefined || !this.#view.editable) return
    this.#view.dispatch(state.tr.setSelection(NodeSelection.create(state.doc, at)))
    this.#view.focus()
  }

  readonly #openFullView = (): void => {
    if (this.#state.state !== 'shown') return
    const { src, alt } = this.#image
    this.#popup = openBlockPopup(PictureFullView, this.#viewButton, { src, alt })
  }
}

function createButton(className: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = className
  button.ariaHasPopup = 'dialog'
  // The text keeps the focus and the selection.
  button.addEventListener('mousedown', (event) => event.preventDefault())
  return button
}

function copyAttributes(from: Element, to: Element, names: RegExp): void {
  for (const name of Array.from(to.attributes, (attribute) => attribute.name))
    if (names.test(name) && !from.hasAttribute(name)) to.removeAttribute(name)
  for (const { name, value } of from.attributes)
    if (names.test(name) && to.getAttribute(name) !== value) to.setAttribute(name, value)
}
