import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { paragraph, textWith } from '../text/fixtures/text-sketches.ts'
import { hasUnshownChanges } from './unshown-changes.ts'

function copyOf(doc: Y.Doc): Y.Doc {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  return copy
}

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
  ['an attribute of the title', true, (doc) => doc.getText('title').setAttribute('key', 1)],
])('beside title and body: %s', (_what, expected, edit) => {
  const base = textWith(paragraph('Words')).doc!
  base.getMap('values').set('key', 1)
  base.getMap('values').set('text', new Y.Text('hidden'))
  // As a window has it, which has asked for no other root.
  const [read, proposal] = [copyOf(base), copyOf(base)]
  edit(proposal)
  expect(hasUnshownChanges(read, copyOf(proposal))).toBe(expected)
  expect(hasUnshownChanges(read, proposal)).toBe(expected)
})
