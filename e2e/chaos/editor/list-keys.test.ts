/** Keys at the edge of a list, as the page's extensions answer to them. */
import { TextSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import {
  appendBlocks,
  type BlockSketch,
  paragraph,
  sketchBlocks,
} from '../../../lib/text/fixtures/text-sketches.ts'
import * as Y from 'yjs'
import { handsFor } from './editor-hands.ts'
import { testedSubject } from './subject.ts'

const divider: BlockSketch = { name: 'horizontalRule' }
const list = (kind: 'bullet' | 'task', ...items: BlockSketch[][]): BlockSketch => ({
  name: `${kind}List`,
  children: items.map((children) => ({
    name: kind === 'task' ? 'taskItem' : 'listItem',
    ...(kind === 'task' && { attributes: { checked: false } }),
    children,
  })),
})

function openEditor(...blocks: BlockSketch[]) {
  const doc = new Y.Doc()
  const text = doc.getXmlFragment('default')
  appendBlocks(text, blocks)
  const editor = testedSubject.openEditor(doc, true)
  const hands = handsFor(testedSubject.schema)
  return {
    blocks: () => sketchBlocks(text),
    type: (letters: string) => hands.type(editor, letters),
    pressBackspaceBefore(letters: string) {
      let at = 0
      editor.state.doc.descendants((node, pos) => void (node.text === letters && (at = pos)))
      editor.dispatch(editor.state.tr.setSelection(TextSelection.create(editor.state.doc, at)))
      expect(hands.press(editor, 'Backspace')).toBe(true)
    },
  }
}

test('Backspace behind a list joins the line with the last one of the list', () => {
  const { blocks, pressBackspaceBefore, type } = openEditor(
    list('bullet', [paragraph('item')]),
    paragraph('line'),
  )
  pressBackspaceBefore('line')
  type('+')
  expect(blocks()).toEqual([list('bullet', [paragraph('item+line')])])
})

test('Backspace behind a list that ends with a divider makes the line an item, and what is typed next replaces nothing', () => {
  const { blocks, pressBackspaceBefore, type } = openEditor(
    list('task', [paragraph('item'), divider]),
    paragraph('line'),
  )
  pressBackspaceBefore('line')
  type('+-')
  expect(blocks()).toEqual([list('task', [paragraph('item'), divider], [paragraph('+-line')])])
})

test('Backspace in the first item of a list behind another one lifts it, and does not join it at once', () => {
  const { blocks, pressBackspaceBefore } = openEditor(
    list('task', [paragraph('task')]),
    list('bullet', [paragraph('item')]),
  )
  pressBackspaceBefore('item')
  expect(blocks()).toEqual([list('task', [paragraph('task')]), paragraph('item')])
})
