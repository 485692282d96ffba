import { splitBlock } from '@tiptap/pm/commands'
import { splitListItem } from '@tiptap/pm/schema-list'
import { TextSelection, type Command } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { appendBlocks, paragraph } from '@/lib/text/fixtures/text-sketches.ts'
import { acceptChanges, changesOf } from '@/lib/proposals/proposed-changes.ts'
import { createHeadlessEditor } from '@/components/binding/fixtures/headless-editor.ts'
import { pageSchema } from '@/components/editor/schema.ts'
import { describeAcceptedChanges } from './accept-change.contract.ts'

const list = {
  name: 'bulletList',
  children: ['One two', 'Three'].map((words) => ({ name: 'listItem', children: [paragraph(words)] })),
}

test.each<[string, number, Command]>([
  ['a line', 'One tw'.length + 1, splitBlock],
  [
    'the item of a list',
    'One two three'.length + 5 + 'One'.length,
    splitListItem(pageSchema.nodes.listItem!),
  ],
])('Enter in %s is one change', (_where, position, command) => {
  const base = new Y.Doc()
  appendBlocks(base.getXmlFragment('default'), [paragraph('One two three'), list])
  const [original, proposal] = [0, 1].map(() => {
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(base))
    return copy
  }) as [Y.Doc, Y.Doc]
  const editor = createHeadlessEditor(proposal.getXmlFragment('default'))
  editor.edit((transaction) => transaction.setSelection(TextSelection.create(transaction.doc, position)))
  expect(command(editor.state, editor.dispatch)).toBe(true)
  editor.destroy()
  const texts = { base, original, proposal }
  const changes = changesOf(texts)
  expect(changes.map(({ kind }) => kind)).toEqual(['split'])
  acceptChanges(texts, changes)
  const [written, wanted] = [original, proposal].map((doc) => doc.getXmlFragment('default').toJSON())
  expect(written).toBe(wanted)
})

describeAcceptedChanges(Array.from({ length: 40 }, (_, seed) => seed))
