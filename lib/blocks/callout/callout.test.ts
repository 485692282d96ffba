import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMarkdown } from '../../text/from-markdown.ts'
import { markdownOf } from '../../text/markdown.ts'
import { treeOf } from '../../text/tree.ts'
import { describeBlock } from '../block.contract.ts'
import { sharedTextOf, textSchema } from '../fixtures/block-documents.ts'
import type { JsonNode } from '../json-node.ts'
import { calloutKinds } from './callout-kinds.ts'
import { callout } from './callout.ts'

describeBlock(callout, { attributes: fc.record({ kind: fc.constantFrom(...calloutKinds) }) })

const text = (letters: string, ...marks: string[]): JsonNode => ({
  type: 'text',
  text: letters,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
})
const paragraph = (...content: JsonNode[]): JsonNode => ({ type: 'paragraph', content })
const calloutOf = (kind: string, ...content: JsonNode[]): JsonNode => ({
  type: 'callout',
  attrs: { kind },
  content,
})
const written = (...content: JsonNode[]): string =>
  markdownOf(treeOf(sharedTextOf(textSchema.nodeFromJSON({ type: 'doc', content }))))

test('Markdown is GitHub’s', () => {
  expect(written(calloutOf('tip', paragraph(text('a')), paragraph(text('b'))))).toBe(
    '> [!TIP]\n> a\n>\n> b\n',
  )
})

test.each<[string, JsonNode[]]>([
  ['> [!NOTE]\n> a', [calloutOf('note', paragraph(text('a')))]],
  ['> [!warning]  \n> a', [calloutOf('warning', paragraph(text('a')))]],
  ['> [!CAUTION]\n> a', [calloutOf('warning', paragraph(text('a')))]],
  ['> [!TIP]\n>\n> a', [calloutOf('tip', paragraph(text('a')))]],
  [
    '> [!TIP]\n> - a',
    [
      calloutOf('tip', {
        type: 'bulletList',
        content: [{ type: 'listItem', content: [paragraph(text('a'))] }],
      }),
    ],
  ],
  ['> [!TIP]\n> **a** b', [calloutOf('tip', paragraph(text('a', 'bold'), text(' b')))]],
  ['> [!TIP]\n> a ~~b~~', [calloutOf('tip', paragraph(text('a '), text('b', 'strike')))]],
  ['> [!IMPORTANT]', [calloutOf('important', { type: 'paragraph' })]],
])('%j is a callout', (markdown, blocks) => {
  expect(parseMarkdown(markdown).blocks).toEqual(blocks)
})

test.each(['> \\[!NOTE]\n> a', '> [!NOTE] a', '> [!NOTE]**a**', '> [!OTHER]\n> a', '> a\n> [!NOTE]'])(
  '%j is a quote',
  (markdown) => {
    expect(parseMarkdown(markdown).blocks).toMatchObject([{ type: 'blockquote' }])
  },
)

test.each<[string, JsonNode]>([
  ['underlined letters', paragraph(text('a', 'underline'))],
  ['a line like a callout’s', paragraph(text('[!TIP]'))],
  ['a line like a heading', paragraph(text('# a'))],
  ['a line like an item', paragraph(text('- a'))],
  ['code', { type: 'codeBlock', attrs: { language: null }, content: [text('a')] }],
])('%s at the beginning is read again as what it is', (_name, block) => {
  const original = calloutOf('tip', block)
  expect(parseMarkdown(written(original)).blocks).toEqual([original])
})

test('a quote of a callout’s first line stays a quote', () => {
  const quote = { type: 'blockquote', content: [paragraph(text('[!NOTE]')), paragraph(text('a'))] }
  expect(parseMarkdown(written(quote)).blocks).toEqual([quote])
})
