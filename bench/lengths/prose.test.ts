import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { documentOf, paragraphsOf } from './prose.ts'

test.each([0, 1, 500, 21_000, 104_000])('prose of %i characters has exactly so many', (characters) => {
  const paragraphs = paragraphsOf(characters)
  expect(paragraphs.join('')).toHaveLength(characters)
  for (const paragraph of paragraphs.slice(0, -1)) {
    expect(paragraph.length).toBeGreaterThanOrEqual(500)
    expect(paragraph.length).toBeLessThan(520)
  }
})

test('a document is the same bytes each time, and ends in empty paragraphs', () => {
  const update = documentOf(2_000, 3)
  expect(documentOf(2_000, 3)).toEqual(update)
  const doc = new Y.Doc()
  Y.applyUpdate(doc, update)
  const paragraphs = doc.getXmlFragment('default').toArray() as Y.XmlElement[]
  expect(
    paragraphs.map((paragraph) => (paragraph.get(0) as Y.XmlText | undefined)?.toString() ?? ''),
  ).toEqual([...paragraphsOf(2_000), '', '', ''])
})
