import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMarkdown } from '../../text/from-markdown.ts'
import { markdownOf } from '../../text/markdown.ts'
import { treeOf } from '../../text/tree.ts'
import { describeBlock } from '../block.contract.ts'
import { drawBlock } from '../draw.ts'
import { sharedTextOf, textSchema } from '../fixtures/block-documents.ts'
import { hostileValues } from '../fixtures/hostile-values.ts'
import type { JsonNode } from '../json-node.ts'
import { mention, mentionOf, mentionText } from './mention.ts'

const PERSON = 'user:0192f0c5-8a53-7e1a-9c3e-2f8f6a1f7b11'
const DOCUMENT = 'AAAAAAAAAAAAAAAAAAAAAA'

describeBlock(mention, {
  attributes: fc.oneof(
    fc.record({
      kind: fc.constant('person'),
      id: fc.constant(PERSON),
      label: fc.constantFrom('Ada', 'Ada [Wren]', 'x](y)', '*Ada*', '@Ada', 'a@b.org', '<b>', 'Ädä 👩‍🚀'),
    }),
    fc.record({
      kind: fc.constant('document'),
      id: fc.constant(DOCUMENT),
      label: fc.constantFrom('Plan', '# Plan', 'https://example.org', '@Plan', '1. Plan'),
    }),
  ),
})

const inLine = (...content: JsonNode[]) =>
  sharedTextOf(textSchema.nodeFromJSON({ type: 'doc', content: [{ type: 'paragraph', content }] }))

test('Markdown has a link to an address of its own', () => {
  const attrs = { kind: 'person', id: PERSON, label: 'Ada' }
  expect(markdownOf(treeOf(inLine({ type: 'mention', attrs })))).toBe(`[@Ada](mention:person/${PERSON})\n`)
})

test('a bold mention stays bold, in Markdown and JSON', () => {
  const attrs = { kind: 'document', id: DOCUMENT, label: 'Plan' }
  const paragraph = {
    type: 'paragraph',
    content: [
      { type: 'text', text: 'see ' },
      { type: 'mention', attrs, marks: [{ type: 'bold' }] },
    ],
  }
  const { blocks } = parseMarkdown(`see **[Plan](mention:document/${DOCUMENT})**`)
  expect(blocks).toEqual([paragraph])
})

test.each([
  'mention:person/link:abc',
  'mention:person/',
  'mention:document/short',
  `mention:document/${PERSON}`,
  'mention:robot/x',
])('a link to %s is no mention', (url) => {
  expect(JSON.stringify(parseMarkdown(`[@Ada](${url})`).blocks)).not.toContain('"mention"')
})

test.each(hostileValues)('an id or a label that is %s leads nowhere and is short', (_label, value) => {
  for (const kind of ['person', 'document', value]) {
    const { id, label } = mentionOf({ kind, id: value, label: value })
    expect(id).toBeNull()
    expect(Array.from(label).length).toBeLessThanOrEqual(100)
    expect(label).not.toBe('')
  }
})

test('a label is one line that turns no letters beside it around', () => {
  const label = 'Ada\u202E\nWren\u0000\t\u2067!'
  expect(mentionOf({ label }).label).toBe('Ada Wren !')
  expect(mentionText(mentionOf({ label }))).toBe('@Ada Wren !')
})

test('half a character at the limit is cut off', () => {
  const { label } = mentionOf({ label: '👩'.repeat(1_000) })
  expect(label).toBe('👩'.repeat(100))
  expect(drawBlock(mention, { label: '\uD83D' })).toEqual([
    'span',
    { class: 'mention', 'data-mention': 'person' },
    '@\uFFFD',
  ])
})
