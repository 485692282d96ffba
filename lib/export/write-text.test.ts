import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blockTextOf, textBlocksOf } from '../text/plain-text.ts'
import type { JsonNode } from '../blocks/json-node.ts'
import { documentOf, sourceOf } from './fixtures/export-sources.ts'
import { anyDocument } from './fixtures/random-documents.ts'
import { writeText } from './write-text.ts'

const text = (letters: string): JsonNode => ({ type: 'text', text: letters })
const paragraph = (letters: string): JsonNode => ({ type: 'paragraph', content: [text(letters)] })
const item = (type: string, letters: string, ...rest: JsonNode[]): JsonNode => ({
  type,
  content: [paragraph(letters), ...rest],
})

const textOf = (...content: JsonNode[]): string => writeText(sourceOf(documentOf(...content)))

test('lists, quotes, tables and cards keep their signs', () => {
  const cell = (col: string, letters: string): JsonNode => ({
    type: 'tableCell',
    attrs: { col },
    content: [paragraph(letters)],
  })
  const written = textOf(
    { type: 'heading', content: [text('Head')] },
    {
      type: 'orderedList',
      attrs: { start: 9 },
      content: [
        item('listItem', 'nine'),
        item('listItem', 'ten', { type: 'bulletList', content: [item('listItem', 'inner')] }),
      ],
    },
    {
      type: 'taskList',
      content: [{ ...item('taskItem', 'done'), attrs: { checked: true } }, item('taskItem', 'open')],
    },
    { type: 'callout', attrs: { kind: 'tip' }, content: [paragraph('Look')] },
    {
      type: 'table',
      attrs: { columns: 'a:: b::' },
      content: [{ type: 'tableRow', content: [cell('a', 'x'), cell('b', 'y')] }],
    },
    {
      type: 'linkCard',
      attrs: { href: 'https://example.org/' },
      content: [{ type: 'caption', content: [text('Example')] }],
    },
    { type: 'picture', attrs: { alt: 'A dot' }, content: [{ type: 'caption', content: [text('Below')] }] },
  )
  expect(written).toBe(`A title

Head

9. nine
10. ten
    - inner

[x] done
[ ] open

> Tip:
> Look

x\ty

Example <https://example.org/>

[Picture: A dot] Below
`)
})

test('no letter is lost, whatever the blocks are', () => {
  fc.assert(
    fc.property(anyDocument, (doc) => {
      const source = sourceOf(doc)
      const written = writeText(source)
        .replaceAll(' <https://example.org/a?b=1&c=2>', '')
        .replaceAll(/\s+/g, '')
      for (const line of textBlocksOf(source.blocks))
        for (const part of blockTextOf(line).split(/[\n\uFFFC]/))
          expect(written).toContain(part.replaceAll(/\s+/g, ''))
    }),
    { numRuns: 100 },
  )
})
