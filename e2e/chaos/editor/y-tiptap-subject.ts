/** The page's binding as it is with y-tiptap: with the total reader, and read only while a part of the text is unknown. */
import type { Node } from '@tiptap/pm/model'
import { EditorState, type Plugin, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { ySyncPlugin } from '@tiptap/y-tiptap'
import type * as Y from 'yjs'
import { reuseNodes } from '../../../components/editor/binding/node-reuse.ts'
import { textSchema } from '../../../components/editor/schema-extensions.ts'
import { fitsSchema, isStandIn, TextReader } from '../../../components/editor/binding/text-reader.ts'
import { ignoreChanges, yTiptapBindingOf } from '../../../components/editor/binding/y-tiptap-binding.ts'
import type { EditorSubject, HeadlessEditor } from './editor-subject.ts'
import { createUndo } from './undo-of-one-window.ts'

const readShown = (doc: Y.Doc): Node => new TextReader(textSchema).readText(doc.getXmlFragment('default'))

export const yTiptapSubject: EditorSubject = {
  name: 'y-tiptap',
  schema: textSchema,
  knownFaults: [
    // y-tiptap leaves out the marks of line breaks.
    'the screen is not the document',
    'screens differ',
    // Where two people began in one empty block at once, one window joins the texts; letters typed meanwhile go.
    'writes while receiving',
    'letters vanished',
    // It looks for the caret in an element that an undo has brought back.
    'throws while receiving',
    // What others wrote in an item goes when the wrapping into the item is undone.
    "undo deletes somebody else's letters",
  ],
  readShown,
  isUnknown: isStandIn,
  openEditor: (doc, mayWrite) => new YTiptapEditor(doc, mayWrite),
}

interface BoundView {
  state: EditorState
  readonly dispatch: (transaction: Transaction) => void
  readonly end: () => void
}

class YTiptapEditor implements HeadlessEditor {
  readonly #doc: Y.Doc
  readonly #text: Y.XmlFragment
  readonly #mayWrite: boolean
  readonly #undo
  /** Null while the text does not fit. */
  #bound: BoundView | null = null
  /** What is shown while the text does not fit. */
  #reading: EditorState | null = null

  constructor(doc: Y.Doc, mayWrite: boolean) {
    this.#doc = doc
    this.#text = doc.getXmlFragment('default')
    this.#mayWrite = mayWrite
    this.#undo = createUndo(doc)
    this.#bindIfFit()
    doc.on('beforeObserverCalls', this.#endIfUnfit)
    doc.on('afterAllTransactions', this.#bindIfFit)
  }

  get state(): EditorState {
    return this.#bound?.state ?? (this.#reading ??= EditorState.create({ doc: readShown(this.#doc) }))
  }

  get isEditable(): boolean {
    return this.#mayWrite && this.#bound !== null
  }

  dispatch(transaction: Transaction): void {
    if (this.#bound) this.#bound.dispatch(transaction)
    else if (!transaction.docChanged) this.#reading = this.state.apply(transaction)
  }

  undo(): void {
    this.#undo.undo()
  }

  redo(): void {
    this.#undo.redo()
  }

  endUndoStep(): void {
    this.#undo.manager.stopCapturing()
  }

  destroy(): void {
    this.#doc.off('beforeObserverCalls', this.#endIfUnfit)
    this.#doc.off('afterAllTransactions', this.#bindIfFit)
    this.#bound?.end()
    this.#undo.manager.destroy()
  }

  readonly #endIfUnfit = (): void => {
    if (!this.#bound || fitsSchema(this.#text, textSchema)) return
    yTiptapBindingOf(this.#bound.state).mux = ignoreChanges
    this.#bound.end()
    this.#bound = null
  }

  readonly #bindIfFit = (): void => {
    this.#reading = null
    if (this.#bound || !fitsSchema(this.#text, textSchema)) return
    this.#bound = bindView(this.#text, this.#mayWrite)
  }
}

function bindView(text: Y.XmlFragment, editable: boolean): BoundView {
  const plugin = ySyncPlugin(text, { mapping: new Map() }) as Plugin
  const view = {
    state: EditorState.create({ schema: textSchema, plugins: [plugin] }),
    editable,
    hasFocus: () => false,
    dispatch(transaction: Transaction) {
      view.state = view.state.apply(transaction)
      pluginView.update?.(view as unknown as EditorView, view.state)
    },
    end: () => pluginView.destroy?.(),
  }
  const pluginView = plugin.spec.view!(view as unknown as EditorView)
  reuseNodes(view)
  return view
}
