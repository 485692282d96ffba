/** What the acts of the editors' chaos share: whose they are, and where the caret goes. */
import { Fragment, type Node } from '@tiptap/pm/model'
import { type EditorState, Selection } from '@tiptap/pm/state'
import type * as Y from 'yjs'
import type { Choices } from './choices.ts'
import type { EditorHands } from './editor-hands.ts'
import type { HeadlessEditor } from './editor-subject.ts'
import { lettersIn, type LetterSource } from './letters.ts'

export interface ActContext {
  readonly editor: HeadlessEditor
  readonly hands: EditorHands
  readonly doc: Y.Doc
  readonly choices: Choices
  readonly letters: LetterSource
}

export type Act = (context: ActContext) => void

/** Never within a surrogate pair, as no browser puts the caret there. */
export function placeIn({ doc }: EditorState, choices: Choices): number {
  return beforePair(doc, choices.below(doc.content.size + 1))
}

export function beforePair(doc: Node, at: number): number {
  const $at = doc.resolve(at)
  const isWithinPair = $at.textOffset > 0 && /^[\udc00-\udfff]/.test($at.nodeAfter?.text ?? '')
  return isWithinPair ? at - 1 : at
}

export function select({ editor }: ActContext, selection: Selection): void {
  editor.dispatch(editor.state.tr.setSelection(selection))
}

export function placeCaret(context: ActContext): void {
  const { editor, choices } = context
  const { state } = editor
  select(context, Selection.near(state.doc.resolve(placeIn(state, choices))))
}

/** A copy has new letters, so that it stays known which is which. */
export function withNewLetters(node: Node, letters: LetterSource): Node {
  if (!node.isText)
    return node.copy(Fragment.from(node.content.content.map((child) => withNewLetters(child, letters))))
  const rename = (letter: string): string => (lettersIn(letter).length > 0 ? letters.next() : letter)
  const text = Array.from(node.text!, rename).join('')
  return node.type.schema.text(text, node.marks)
}
