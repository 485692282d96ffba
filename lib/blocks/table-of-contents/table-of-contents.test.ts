import { expect, test } from 'vitest'
import { parseMarkdown } from '../../text/from-markdown.ts'
import { markdownOf } from '../../text/markdown.ts'
import { treeOf } from '../../text/tree.ts'
import { describeBlock } from '../block.contract.ts'
import { sharedTextOf, textSchema } from '../fixtures/block-documents.ts'
import { tableOfContents } from './table-of-contents.ts'

describeBlock(tableOfContents)

test.each(['[TOC]', '[toc]', '[[_TOC_]]', '[[toc]]', 'a\n\n[TOC]\n\nb', '> [TOC]'])(
  '%j has one',
  (markdown) => {
    expect(JSON.stringify(parseMarkdown(markdown).blocks)).toContain('"tableOfContents"')
  },
)

test.each(['\\[TOC]', '[TOC] a', '`[TOC]`', '**[TOC]**', '[TOC][]\n\n[TOC]: /a', '[OTHER]'])(
  '%j has none',
  (markdown) => {
    expect(JSON.stringify(parseMarkdown(markdown).blocks)).not.toContain('tableOfContents')
  },
)

test('a paragraph of the same letters stays a paragraph', () => {
  const content = [{ type: 'paragraph', content: [{ type: 'text', text: '[TOC]' }] }]
  const text = sharedTextOf(textSchema.nodeFromJSON({ type: 'doc', content }))
  expect(parseMarkdown(markdownOf(treeOf(text))).blocks).toEqual(content)
})
