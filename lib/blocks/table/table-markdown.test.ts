import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { writeBlocks } from '../../../server/api/write-blocks.ts'
import { parseMarkdown } from '../../text/from-markdown.ts'
import { linesOf } from '../../text/lines.ts'
import { markdownOf } from '../../text/markdown.ts'
import { treeOf } from '../../text/tree.ts'

/** As an import writes it, and an export reads it. */
function writtenAgain(source: string): string {
  const { blocks } = parseMarkdown(source)
  const text = new Y.Doc().getXmlFragment('default')
  writeBlocks(text, blocks)
  return markdownOf(treeOf(text))
}

test.each([
  ['letters', '| a | b |\n| - | - |\n| c | d |\n'],
  ['alignment', '| a | b | c | d |\n| :- | :-: | -: | - |\n| 1 | 2 | 3 | 4 |\n'],
  ['empty cells', '| a | |\n| - | - |\n| | d |\n'],
  ['no head', '| | |\n| - | - |\n| c | d |\n'],
  ['only a head', '| a | b |\n| - | - |\n'],
  ['marks and links', '| **a** | [b](https://example.org/) |\n| - | - |\n| `c` | ~~d~~ |\n'],
  ['bars', '| a \\| b | `c \\| d` |\n| - | - |\n'],
  ['lines', '| a<br>b |\n| - |\n'],
  ['what would begin a block', '| # a | - b |\n| - | - |\n| 1. c | > d |\n'],
  ['a table in a quote', '> | a | b |\n> | - | - |\n> | c | d |\n'],
  ['a table in an item', '- a\n\n  | a | b |\n  | - | - |\n  | c | d |\n'],
])('%s', (_name, source) => {
  expect(writtenAgain(source)).toBe(source)
})

test('rows of different lengths lose no cell', () => {
  expect(writtenAgain('a | b\n-|-\nc\nd | e | f\n')).toBe(
    '| a | b | |\n| - | - | - |\n| c | | |\n| d | e | f |\n',
  )
})

test('what is too large for a table stays as its lines', () => {
  const source = ['a|b', '-|-', ...Array.from({ length: 6_000 }, (_, row) => `${row}|x`)].join('\n')
  const { blocks, lost } = parseMarkdown(source)
  expect(lost.table).toBe(1)
  expect(blocks).toHaveLength(6_002)
})

test('the lines of a table are those of its cells, in the order in which they are shown', () => {
  const text = new Y.Doc().getXmlFragment('default')
  writeBlocks(text, parseMarkdown('| a | b |\n| - | - |\n| c | d |\n').blocks)
  const table = text.get(0) as Y.XmlElement
  table.setAttribute('col:0', 'zzzz')
  expect(linesOf(treeOf(text)).texts).toEqual(['b', 'a', 'd', 'c'])
  const [first] = table.toArray() as Y.XmlElement[]
  first!.setAttribute('order', 'zzzz')
  expect(linesOf(treeOf(text)).texts).toEqual(['b', 'a', 'd', 'c'])
  ;(table.get(1) as Y.XmlElement).setAttribute('order', '0001')
  expect(linesOf(treeOf(text)).texts).toEqual(['d', 'c', 'b', 'a'])
})
