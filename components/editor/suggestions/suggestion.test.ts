import { EditorState, TextSelection, type Transaction } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { textSchema } from '../schema-extensions.ts'
import { closeSuggestion, suggestionOf, suggestionPlugin } from './suggestion.ts'

/** A text of one paragraph with the caret at its end. */
class Typist {
  readonly #plugin = suggestionPlugin()
  state: EditorState

  constructor(text: string, block = 'paragraph') {
    const content = text === '' ? [] : [textSchema.text(text)]
    const doc = textSchema.node('doc', null, [textSchema.node(block, null, content)])
    const selection = TextSelection.atEnd(doc)
    this.state = EditorState.create({ doc, selection, plugins: [this.#plugin] })
  }

  /** As a key does. */
  type(letters: string): void {
    for (const letter of letters) {
      const { from, to } = this.state.selection
      const view = { state: this.state } as never
      this.#plugin.props.handleTextInput!.call(this.#plugin, view, from, to, letter, () => this.state.tr)
      this.apply((tr) => tr.insertText(letter))
    }
  }

  /** Returns whether the key is taken. */
  press(key: string): boolean {
    const view = {
      state: this.state,
      dispatch: (tr: Transaction) => (this.state = this.state.apply(tr)),
    } as never
    return this.#plugin.props.handleKeyDown!.call(this.#plugin, view, { key } as KeyboardEvent) === true
  }

  apply(change: (tr: Transaction) => Transaction): void {
    this.state = this.state.apply(change(this.state.tr))
  }

  get query(): string | undefined {
    return suggestionOf(this.state)?.query
  }
}

test.each([
  ['/', ''],
  ['/', 'words '],
  ['@', 'words '],
])('%j after %j opens, and what is typed after it is the query', (sign, before) => {
  const typist = new Typist(before)
  typist.type(sign)
  expect(typist.query).toBe('')
  typist.type('he')
  expect(typist.query).toBe('he')
})

test('a sign after a line break opens', () => {
  const typist = new Typist('words')
  typist.apply((tr) => tr.replaceSelectionWith(textSchema.nodes.hardBreak!.create()))
  typist.type('/')
  expect(typist.query).toBe('')
})

test('Escape closes it, also where nothing is found, and does nothing else then', () => {
  const typist = new Typist('')
  typist.type('@nobody')
  expect(typist.press('Escape')).toBe(true)
  expect(typist.query).toBeUndefined()
  expect(typist.press('Escape')).toBe(false)
})

test('a sign within a word or in code opens nothing', () => {
  for (const sign of ['/', '@'])
    for (const typist of [new Typist('and'), new Typist('', 'codeBlock')]) {
      typist.type(sign)
      expect(typist.query).toBeUndefined()
    }
})

test('a sign that is not typed opens nothing: what others write, a paste, an undo', () => {
  const typist = new Typist('')
  typist.apply((tr) => tr.insertText('/h1'))
  expect(typist.query).toBeUndefined()
})

test('it closes where the caret leaves, a space follows the sign, or the sign goes, and stays closed', () => {
  const ends: readonly ((typist: Typist) => void)[] = [
    (typist) => typist.apply((tr) => tr.setSelection(TextSelection.create(tr.doc, 1))),
    (typist) => typist.apply((tr) => closeSuggestion(tr)),
    (typist) => typist.apply((tr) => tr.delete(3, 4)),
  ]
  for (const end of ends) {
    const typist = new Typist('a ')
    typist.type('/h')
    end(typist)
    expect(typist.query).toBeUndefined()
    typist.type('x')
    expect(typist.query).toBeUndefined()
  }
  const typist = new Typist('')
  typist.type('/ ')
  expect(typist.query).toBeUndefined()
})

test('what others write before it moves it along', () => {
  const typist = new Typist('a ')
  typist.type('/h')
  typist.apply((tr) => tr.insertText('others ', 1, 1))
  expect(suggestionOf(typist.state)).toEqual({ sign: '/', from: 10, to: 12, query: 'h' })
  typist.apply((tr) => tr.insertText('| ', 10, 10))
  expect(suggestionOf(typist.state)).toMatchObject({ from: 12, query: 'h' })
})
