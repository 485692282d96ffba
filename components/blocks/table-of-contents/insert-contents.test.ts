import type { CommandProps } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { EditorState, TextSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { textSchema } from '@/lib/blocks/fixtures/block-documents.ts'
import { insertContents } from './insert-contents.ts'

const { doc, listItem, bulletList, paragraph, toggle, toggleSummary } = textSchema.nodes
const line = (letters: string): Node =>
  paragraph!.create(null, letters === '' ? null : textSchema.text(letters))

/** The document afterwards, `|` being the caret. */
function insertAt(root: Node, caret: number): string {
  const state = EditorState.create({ doc: root, selection: TextSelection.create(root, caret) })
  const { tr } = state
  const isDone = insertContents({ state, tr } as unknown as CommandProps)
  tr.doc.check()
  return isDone ? tr.insertText('|').doc.toString().replaceAll('paragraph', 'p') : 'nothing'
}

test.each([
  ['an empty text', doc!.create(null, line('')), 1, 'doc(tableOfContents, p("|"))'],
  [
    'an empty line before another',
    doc!.create(null, [line(''), line('b')]),
    1,
    'doc(tableOfContents, p("|b"))',
  ],
  ['a line of letters', doc!.create(null, line('a')), 2, 'doc(p("a"), tableOfContents, p("|"))'],
  [
    'the empty first line of an item',
    doc!.create(null, bulletList!.create(null, listItem!.create(null, line('')))),
    3,
    'doc(bulletList(listItem(p, tableOfContents, p("|"))))',
  ],
  [
    'a summary',
    doc!.create(null, toggle!.create(null, [toggleSummary!.create(), line('b')])),
    2,
    'doc(toggle(toggleSummary, tableOfContents, p("|b")))',
  ],
])('in %s', (_name, root, caret, expected) => {
  expect(insertAt(root, caret)).toBe(expected)
})
