import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { paragraph, textWith } from '../text/fixtures/text-sketches.ts'
import { firstItemOf } from '../yjs-internals/shared-type.ts'
import { hasUnshownChanges } from './unshown-changes.ts'

function copyOf(doc: Y.Doc): Y.Doc {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  return copy
}

const elementIn = (doc: Y.Doc) => doc.getXmlFragment('default').get(0) as Y.XmlElement
const textIn = (doc: Y.Doc) => elementIn(doc).get(0) as Y.XmlText

test.each<[string, boolean, (doc: Y.Doc) => void]>([
  ['nothing', false, () => undefined],
  [
    'words, and the title',
    false,
    (doc) => {
      doc.getText('title').insert(0, 'New')
      doc.getXmlFragment('default').delete(0, 1)
    },
  ],
  ['a root that only has a name', false, (doc) => void doc.getMap('other')],
  ['a new value in another root', true, (doc) => doc.getMap('other').set('key', 1)],
  ['another value in it', true, (doc) => doc.getMap('values').set('key', 2)],
  ['a value that is gone', true, (doc) => doc.getMap('values').delete('key')],
  ['letters within it', true, (doc) => (doc.getMap('values').get('text') as Y.Text).insert(2, '!')],
  [
    'a letter for a letter',
    true,
    (doc) => {
      const text = doc.getMap('values').get('text') as Y.Text
      text.delete(0, 1)
      text.insert(0, 'H')
    },
  ],
  [
    'another look of a block, and a mark',
    false,
    (doc) => {
      elementIn(doc).setAttribute('level', '2')
      textIn(doc).format(0, 2, { bold: {} })
    },
  ],
  [
    'a block that no page knows',
    false,
    (doc) => doc.getXmlFragment('default').push([new Y.XmlElement('hologram')]),
  ],
  [
    'a mark behind the last letter',
    true,
    (doc) =>
      doc.transact((transaction) => {
        const text = textIn(doc)
        const last = firstItemOf(text)!
        const mark = new Y.ContentFormat('bold', { note: 'unseen' })
        const id = Y.createID(doc.clientID, Y.getState(doc.store, doc.clientID))
        new Y.Item(id, last, last.lastId, null, null, text, null, mark).integrate(transaction, 0)
      }),
  ],
  [
    'a mark up to the last letter',
    false,
    (doc) => textIn(doc).format(1, textIn(doc).length - 1, { bold: {} }),
  ],
  ['an attribute of letters', true, (doc) => textIn(doc).setAttribute('key', '1')],
  [
    'an attribute that is a text',
    true,
    (doc) => elementIn(doc).setAttribute('key', new Y.Text('more') as never),
  ],
  ['a hook among blocks', true, (doc) => doc.getXmlFragment('default').push([new Y.XmlHook('key') as never])],
  ['a map within a block', true, (doc) => elementIn(doc).push([new Y.Map([['key', 1]]) as never])],
  ['an attribute of the title', true, (doc) => doc.getText('title').setAttribute('key', 1)],
])('beside words and blocks: %s', (_what, expected, edit) => {
  const base = textWith(paragraph('Words')).doc!
  base.getMap('values').set('key', 1)
  base.getMap('values').set('text', new Y.Text('hidden'))
  // As a window has it, which has asked for no other root.
  const [read, proposal] = [copyOf(base), copyOf(base)]
  edit(proposal)
  expect(hasUnshownChanges(read, copyOf(proposal))).toBe(expected)
  expect(hasUnshownChanges(read, proposal)).toBe(expected)
})

test('millions of letters that no review shows are found at the first of them', () => {
  const base = textWith(paragraph('Hello')).doc!
  const proposal = copyOf(base)
  proposal.getText('hidden').insert(0, 'x'.repeat(17_000_000))
  expect(hasUnshownChanges(base, proposal)).toBe(true)
})
