/** Asserts that the screen is the document. Loaded where a test asks for it, and never otherwise. */
import type { Node } from '@tiptap/pm/model'
import type { EditorView } from '@tiptap/pm/view'
import { TextReader } from './read-text.ts'
import type { TextBinding } from './text-binding.ts'

interface ViewInternals {
  readonly domObserver: { readonly queue: readonly unknown[] }
}

/** ProseMirror keeps this beside each element that it has drawn. */
interface ShownPart {
  readonly widget?: unknown
  readonly node?: Node
  readonly dom: globalThis.Node
  readonly contentDOM: globalThis.Node | null
}

/** @throws {Error} Where the editor shows something else than the shared text holds, or the browser something else than the editor. */
export function checkScreen(view: EditorView, { text, shownLength }: TextBinding): void {
  // The browser shows what a person composes before the document has it.
  if (view.composing || (view as unknown as ViewInternals).domObserver.queue.length > 0) return
  const { doc, schema } = view.state
  const fresh = new TextReader(schema).read(text, shownLength).node
  if (!fresh.eq(doc))
    throw new Error(`The editor shows ${doc.toString()}, and the shared text is ${fresh.toString()}.`)
  const [shown, expected] = [textOnScreen(view.dom), textOf(doc)]
  if (shown !== expected) throw new Error(`The screen shows "${shown}", and the editor holds "${expected}".`)
}

function textOf(doc: Node): string {
  let text = ''
  doc.descendants((node) => {
    if (node.isText) text += node.text
    else if (node.type.name.startsWith('unknown'))
      text += String(node.attrs.text) || (node.isInline ? '\uFFFC' : '')
  })
  return text
}

/** Letters are leaves, too: those with a decoration have an element of their own. */
const isDrawnAtom = ({ isLeaf, isText, type }: Node): boolean =>
  isLeaf && !isText && !type.name.startsWith('unknown')

/** Without carets and other widgets. */
function textOnScreen(element: globalThis.Node): string {
  const { pmViewDesc: shown } = element as { pmViewDesc?: ShownPart }
  if (shown?.widget) return ''
  if (element.nodeType === 3) return element.nodeValue ?? ''
  // A formula or a date has no letters of its own.
  if (shown?.dom === element && shown.node && isDrawnAtom(shown.node)) return ''
  // Around its content a node may have controls of its own.
  const content = shown?.dom === element ? (shown.contentDOM ?? element) : element
  return Array.from(content.childNodes, textOnScreen).join('')
}
