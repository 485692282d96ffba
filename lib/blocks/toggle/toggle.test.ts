import { expect, test } from 'vitest'
import { parseMarkdown } from '../../text/from-markdown.ts'
import { markdownOf } from '../../text/markdown.ts'
import { treeOf } from '../../text/tree.ts'
import { describeBlock } from '../block.contract.ts'
import { sharedTextOf, textSchema } from '../fixtures/block-documents.ts'
import type { JsonNode } from '../json-node.ts'
import { toggle, toggleSummary } from './toggle.ts'

describeBlock(toggle)
describeBlock(toggleSummary)

const text = (letters: string, ...marks: string[]): JsonNode => ({
  type: 'text',
  text: letters,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
})
const paragraph = (...content: JsonNode[]): JsonNode => ({ type: 'paragraph', content })
const toggleOf = (summary: readonly JsonNode[], ...content: JsonNode[]): JsonNode => ({
  type: 'toggle',
  content: [{ type: 'toggleSummary', content: summary }, ...content],
})
const written = (...content: JsonNode[]): string =>
  markdownOf(treeOf(sharedTextOf(textSchema.nodeFromJSON({ type: 'doc', content }))))
const read = (markdown: string) => parseMarkdown(markdown).blocks

test('Markdown is HTML with Markdown in it', () => {
  expect(written(toggleOf([text('a'), text('b', 'bold')], paragraph(text('c', 'bold'))))).toBe(
    '<details>\n<summary>a<strong>b</strong></summary>\n\n**c**\n\n</details>\n',
  )
})

const link: JsonNode = {
  type: 'text',
  text: 'l',
  marks: [{ type: 'link', attrs: { href: 'https://example.org/?a=1&b="2"' } }],
}

test.each<[string, JsonNode]>([
  [
    'marks',
    toggleOf([text('a', 'bold', 'italic'), text('b', 'underline'), text('c', 'code')], paragraph(text('d'))),
  ],
  ['a link', toggleOf([text('a '), link], paragraph(text('d')))],
  [
    'signs of Markdown and HTML',
    toggleOf([text('*a* <b>x</b> &amp; "q" # [c](d) </summary>')], paragraph(text('d'))),
  ],
  ['a line break', toggleOf([text('a'), { type: 'hardBreak' }, text('b')], paragraph(text('d')))],
  ['nothing', toggleOf([], { type: 'paragraph' })],
])('a summary of %s is read again as what it is', (_name, original) => {
  const doc = (blocks: readonly JsonNode[]) =>
    textSchema.nodeFromJSON({ type: 'doc', content: blocks }).toJSON()
  expect(doc(read(written(original)))).toEqual(doc([original]))
})

test('toggles within toggles, lists and quotes are read again', () => {
  const inner = toggleOf([text('inner')], paragraph(text('x')))
  const list = { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(text('i')), inner] }] }
  const original = [
    toggleOf([text('outer')], inner, paragraph(text('y')), list),
    { type: 'blockquote', content: [inner] },
    toggleOf([text('last')], paragraph(text('<details>'))),
  ]
  expect(read(written(...original))).toEqual(original)
})

test.each<[string, JsonNode[]]>([
  ['<details><summary>a</summary>\n\nb\n\n</details>', [toggleOf([text('a')], paragraph(text('b')))]],
  [
    '<details open>\n\n<summary>a</summary>\n\nb\n\n</details>',
    [toggleOf([text('a')], paragraph(text('b')))],
  ],
  ['<details>\n<summary>a</summary>\nb\n</details>', [toggleOf([text('a')], paragraph(text('b')))]],
  ['<details>\n\nb\n\n</details>\n\nc', [toggleOf([], paragraph(text('b'))), paragraph(text('c'))]],
  [
    '<details>\n<summary>a</summary>\n\n<details>\n<summary>b</summary>\n\nc\n\n</details>\n</details>',
    [toggleOf([text('a')], toggleOf([text('b')], paragraph(text('c'))))],
  ],
])('%j is a toggle', (markdown, blocks) => {
  expect(read(markdown)).toEqual(blocks)
})

test.each(['<details>\n<summary>a</summary>\n\nb', '</details>'])('%j is text', (markdown) => {
  expect(read(markdown).every(({ type }) => type === 'paragraph')).toBe(true)
  expect(JSON.stringify(read(markdown))).toContain('details>')
})
