import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { paragraph, sketchOf, textWith, write } from '@/lib/text/fixtures/texts.ts'
import { restore } from './restoring.ts'

const bodyOf = (doc: Y.Doc) => sketchOf(doc.getXmlFragment('default'))

test('undoing brings back what was there, and leaves alone what others wrote since', () => {
  const past = textWith(paragraph('one'), paragraph('two')).doc!
  const doc = new Y.Doc()
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(past))
  doc.getXmlFragment('default').delete(1)
  doc.getText('title').insert(0, 'Title')
  const restored = restore(doc, past)
  expect([bodyOf(doc), doc.getText('title').toJSON()]).toEqual([bodyOf(past), ''])
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  write(other.getXmlFragment('default'), [paragraph('from somebody else')])
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other))
  restored.undo()
  expect([bodyOf(doc), doc.getText('title').toJSON()]).toEqual([
    [paragraph('one'), paragraph('from somebody else')],
    'Title',
  ])
})
