/** What holds for each mark, whatever it is: the same suite over every definition. */
import { Node } from '@tiptap/pm/model'
import { yXmlFragmentToProseMirrorRootNode } from '@tiptap/y-tiptap'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseMarkdown } from '../text/from-markdown.ts'
import { markdownOf } from '../text/markdown.ts'
import { treeOf } from '../text/tree.ts'
import { marks } from './blocks.ts'
import type { MarkDefinition, StoredAttributes } from './definitions.ts'
import { drawMark } from './draw.ts'
import { sharedTextOf, textSchema as schema } from './fixtures/block-documents.ts'
import { hostileValues } from './fixtures/hostile-values.ts'

interface MarkExpectation {
  /** Values that the mark can have. */
  readonly attributes?: fc.Arbitrary<StoredAttributes>
}

export function describeMark(
  definition: MarkDefinition,
  { attributes = fc.constant({}) }: MarkExpectation = {},
): void {
  const { name } = definition
  const type = schema.marks[name]!

  describe(`the mark ${name}`, () => {
    const words = fc.stringMatching(/^[a-z]{1,8}$/)
    const lines = fc
      .tuple(words, words, attributes)
      .map(([marked, rest, attrs]) => [
        schema.text('before '),
        schema.text(marked, [type.create(attrs)]),
        schema.text(` ${rest}`),
      ])
    const documents = lines.map((line) =>
      schema.topNodeType.create(null, schema.nodes.paragraph!.create(null, line)),
    )

    test('JSON, a shared text and Markdown lead back to it', () => {
      fc.assert(
        fc.property(documents, (doc) => {
          const text = sharedTextOf(doc)
          expect(Node.fromJSON(schema, doc.toJSON()).toJSON()).toEqual(doc.toJSON())
          expect(yXmlFragmentToProseMirrorRootNode(text, schema).toJSON()).toEqual(doc.toJSON())
          const { blocks } = parseMarkdown(markdownOf(treeOf(text)))
          expect(Node.fromJSON(schema, { type: 'doc', content: blocks }).toJSON()).toEqual(doc.toJSON())
        }),
        { numRuns: 25 },
      )
    })

    test.each(marks)('together with $name Markdown leads back to both, where both can be', (other) => {
      const both = schema.marks[other.name]!.create({ href: 'https://example.org/' }).addToSet([
        type.create({ href: 'https://example.org/' }),
      ])
      const paragraph = schema.nodes.paragraph!.create(null, schema.text('letters', both))
      const { blocks } = parseMarkdown(
        markdownOf(treeOf(sharedTextOf(schema.topNodeType.create(null, paragraph)))),
      )
      expect(Node.fromJSON(schema, blocks[0]).toJSON()).toEqual(paragraph.toJSON())
    })

    test.each(hostileValues)('attributes of another program: %s', (_label, value) => {
      for (const attribute of [...Object.keys(type.spec.attrs ?? {}), 'onclick', 'style', 'class']) {
        const [tag, drawn, hole] = drawMark(definition, { [attribute]: value }) as unknown as [
          string,
          unknown,
          0?,
        ]
        expect(tag).toMatch(/^[a-z]+$/)
        if (hole === undefined) expect(drawn).toBe(0)
        else if (tag === 'mark')
          expect(drawn).toEqual({ 'data-color': expect.stringMatching(/^[a-z]{3,10}$/) })
        else expect(Object.keys(drawn as object).toSorted()).toEqual(['href', 'rel', 'target'])
        if (tag === 'a') expect((drawn as { href: unknown }).href).not.toMatch(/^\s*javascript:/i)
      }
    })
  })
}
