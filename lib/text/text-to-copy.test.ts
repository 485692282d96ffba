import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { heading, paragraph, appendBlocks } from './fixtures/text-sketches.ts'
import { markdownOf } from './markdown.ts'
import { blocksTextOf } from './plain-text.ts'
import { textToCopy } from './text-to-copy.ts'

function written(title: string): Y.Doc {
  const doc = new Y.Doc()
  doc.getText('title').insert(0, title)
  appendBlocks(doc.getXmlFragment('default'), [heading(2, 'Plan'), paragraph('Buy *bread*.'), paragraph()])
  return doc
}

test.each([
  ['Budget', markdownOf, 'Budget\n\n## Plan\n\nBuy \\*bread\\*.'],
  ['Budget', blocksTextOf, 'Budget\n\nPlan\nBuy *bread*.'],
  ['', blocksTextOf, 'Plan\nBuy *bread*.'],
])('the title %j and the text are copied as one', (title, writeBlocks, expected) => {
  expect(textToCopy(written(title), writeBlocks)).toBe(expected)
})

test('a document without text is copied as its title', () => {
  const doc = new Y.Doc()
  doc.getText('title').insert(0, ' Budget ')
  expect(textToCopy(doc, markdownOf)).toBe('Budget')
  expect(textToCopy(new Y.Doc(), markdownOf)).toBe('')
})
