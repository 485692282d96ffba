import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { readSearchedText } from './searched-text.ts'
import { findTerms } from './search-marks.ts'
import { readSearchQuery } from './search-query.ts'
import { searchText } from './search-text.ts'

function textOf(lines: readonly string[]) {
  const doc = new Y.Doc()
  for (const line of lines) {
    const paragraph = new Y.XmlElement('paragraph')
    doc.getXmlFragment('default').push([paragraph])
    paragraph.push([new Y.XmlText(line)])
  }
  return readSearchedText(doc, null)
}

const word = fc.constantFrom('ab', 'abc', 'b', 'bc', '北京', '京', '北', 'ß-b', '—')
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '))

test('a text is found where its lines have what is marked', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 4 }), words, fc.boolean(), (lines, query, isPhrase) => {
      fc.pre(/[a-zß北京]/.test(query))
      const terms = readSearchQuery(isPhrase ? `"${query}"` : query)
      const found = new Set(lines.flatMap((line) => [...findTerms(line, terms).found]))
      expect(searchText(textOf(lines), terms) !== null).toBe(found.size === terms.length)
    }),
  )
})

test('the snippet is of the passage with most of the words', () => {
  const lines = [`red ${'x '.repeat(990)}`, `the blue and red line ${'x '.repeat(900)}`]
  expect(searchText(textOf(lines), readSearchQuery('blue red'))!.snippet.text).toMatch(/^the blue and red/)
})
