import { Fragment, type Node } from '@tiptap/pm/model'
import { EditorState, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { expect, test, vi } from 'vitest'
import { textSchema as schema } from '../../editor/schema-extensions.ts'
import { codeHighlightingKey } from './code-highlighting-key.ts'
import { codeHighlighting } from './code-highlighting.ts'
import type { HighlightCode } from './code-tokens.ts'

const codeOf = (letters: string, language = 'ts'): Node =>
  schema.nodes.codeBlock!.create({ language }, letters ? schema.text(letters) : null)
const paragraphOf = (letters: string): Node => schema.nodes.paragraph!.create(null, schema.text(letters))

/** An editor without a screen. Each word of code is a token, and what is asked for is recorded. */
class ColouredText {
  readonly asked: string[] = []
  readonly view: { state: EditorState; isDestroyed: boolean; dispatch(transaction: Transaction): void }
  readonly #destroy: () => void

  constructor(...blocks: Node[]) {
    const highlight: HighlightCode = (language, code) => {
      this.asked.push(`${language}: ${code}`)
      const words = [...code.matchAll(/\w+/g)]
      return Promise.resolve(
        words.map(({ index, 0: word }) => ({ from: index, to: index + word.length, classes: 'word' })),
      )
    }
    const plugin = codeHighlighting(highlight)
    const doc = schema.topNodeType.create(null, blocks)
    this.view = {
      state: EditorState.create({ doc, plugins: [plugin] }),
      isDestroyed: false,
      dispatch: (transaction) => {
        this.view.state = this.view.state.apply(transaction)
        pluginView.update?.(this.view as unknown as EditorView, this.view.state)
      },
    }
    const pluginView = plugin.spec.view!(this.view as unknown as EditorView)
    this.#destroy = () => pluginView.destroy?.()
  }

  /** The letters that have a colour. */
  get coloured(): readonly string[] {
    const { state } = this.view
    const { decorations } = codeHighlightingKey.getState(state)!
    return decorations
      .find()
      .toSorted((a, b) => a.from - b.from)
      .map(({ from, to }) => state.doc.textBetween(from, to))
  }

  edit(change: (transaction: Transaction) => Transaction): void {
    this.view.dispatch(change(this.view.state.tr))
  }

  [Symbol.dispose](): void {
    this.view.isDestroyed = true
    this.#destroy()
  }
}

const becomesColoured = (text: ColouredText, words: readonly string[]): Promise<void> =>
  vi.waitFor(() => expect(text.coloured).toEqual(words))

test('code is coloured, and an edit elsewhere asks for nothing', async () => {
  using text = new ColouredText(paragraphOf('before'), codeOf('let a'), codeOf('let b'))
  await becomesColoured(text, ['let', 'a', 'let', 'b'])
  expect(text.asked).toEqual(['ts: let a', 'ts: let b'])
  text.edit((tr) => tr.insertText('xx', 1))
  expect(text.coloured).toEqual(['let', 'a', 'let', 'b'])
  expect(codeHighlightingKey.getState(text.view.state)!.isIncomplete).toBe(false)
  expect(text.asked).toHaveLength(2)
})

test('a typed letter asks for its own block alone, and colours move with the letters meanwhile', async () => {
  using text = new ColouredText(codeOf('let a'), codeOf('let b'))
  await becomesColoured(text, ['let', 'a', 'let', 'b'])
  text.edit((tr) => tr.insertText(' = c', 6))
  expect(text.coloured).toEqual(['let', 'a = c', 'let', 'b'])
  await becomesColoured(text, ['let', 'a', 'c', 'let', 'b'])
  expect(text.asked.slice(2)).toEqual(['ts: let a = c'])
})

test('a transaction that replaces the whole text keeps the colours of unchanged blocks', async () => {
  using text = new ColouredText(codeOf('let a'), codeOf('let b'))
  await becomesColoured(text, ['let', 'a', 'let', 'b'])
  const { doc } = text.view.state
  const changed = Fragment.from([paragraphOf('new'), codeOf('x'), doc.child(1), doc.child(0)])
  text.edit((tr) => tr.replaceWith(0, doc.content.size, changed))
  expect(text.coloured).toEqual(['let', 'b', 'let', 'a'])
  await becomesColoured(text, ['x', 'let', 'b', 'let', 'a'])
  expect(text.asked.slice(2)).toEqual(['ts: x'])
})

test('another language asks again', async () => {
  using text = new ColouredText(codeOf('let a'), codeOf('let b'))
  await becomesColoured(text, ['let', 'a', 'let', 'b'])
  text.edit((tr) => tr.setNodeAttribute(0, 'language', 'go'))
  await vi.waitFor(() => expect(text.asked.slice(2)).toEqual(['go: let a']))
})

test('code within other blocks is coloured', async () => {
  using text = new ColouredText(schema.nodes.blockquote!.create(null, [codeOf('a'), paragraphOf('p')]))
  await becomesColoured(text, ['a'])
  text.edit((tr) => tr.insertText('b', 3))
  await becomesColoured(text, ['ab'])
})
