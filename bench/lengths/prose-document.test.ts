import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createParagraphs, createProseDocument } from './prose-document.ts'

test.each([0, 1, 500, 21_000, 104_000])('paragraphs of %i characters have exactly so many', (characters) => {
  const paragraphs = createParagraphs(characters)
  expect(paragraphs.join('')).toHaveLength(characters)
  for (const paragraph of paragraphs.slice(0, -1)) {
    expect(paragraph.length).toBeGreaterThanOrEqual(500)
    expect(paragraph.length).toBeLessThan(520)
  }
})

test('a document has the same bytes each time, and ends with empty paragraphs', () => {
  const update = createProseDocument(2_000, 3)
  expect(createProseDocument(2_000, 3)).toEqual(update)
  const doc = new Y.Doc()
  Y.applyUpdate(doc, update)
  const paragraphs = doc.getXmlFragment('default').toArray() as Y.XmlElement[]
  expect(
    paragraphs.map((paragraph) => (paragraph.get(0) as Y.XmlText | undefined)?.toString() ?? ''),
  ).toEqual([...createParagraphs(2_000), '', '', ''])
})
