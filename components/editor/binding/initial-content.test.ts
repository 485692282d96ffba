import { getSchema } from '@tiptap/core'
import { Node } from '@tiptap/pm/model'
import { EditorState, type Plugin, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import StarterKit from '@tiptap/starter-kit'
import { ySyncPlugin } from '@tiptap/y-tiptap'
import { expect, test } from 'vitest'
import { type BlockSketch, paragraph, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { initialContentOf } from './initial-content.ts'

const schema = getSchema([StarterKit])

/** Draws the text as an editor without a screen does. Returns the state of that editor. */
function drawnState(...blocks: BlockSketch[]): EditorState {
  const text = textWith(...blocks)
  const content = initialContentOf(text)
  const plugin = ySyncPlugin(text) as Plugin
  const view = {
    state: EditorState.create({
      schema,
      plugins: [plugin],
      ...(content && { doc: Node.fromJSON(schema, content) }),
    }),
    hasFocus: () => false,
    dispatch(transaction: Transaction) {
      view.state = view.state.apply(transaction)
    },
  }
  plugin.spec.view!(view as unknown as EditorView)
  return view.state
}

const item: BlockSketch = { name: 'listItem', children: [paragraph('one')] }

test.each<[string, BlockSketch, number]>([
  ['a paragraph', paragraph('one'), 1],
  ['an empty paragraph', paragraph(), 1],
  ['a list', { name: 'bulletList', children: [item] }, 3],
  ['a quote', { name: 'blockquote', children: [paragraph('one')] }, 2],
])('the caret is at the first letter of a text that begins with %s', (_name, block, position) => {
  const { selection } = drawnState(block, paragraph('two'))
  expect(selection.from).toBe(position)
  expect(selection.$from.parent.inlineContent).toBe(true)
})

test('an empty text leaves the content to the editor', () => {
  expect(initialContentOf(textWith())).toBeUndefined()
})
