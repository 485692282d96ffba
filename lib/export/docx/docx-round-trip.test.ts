/** What leaves as DOCX comes back from it: the same blocks where the reader has them, and every letter otherwise. */
import { Node } from '@tiptap/pm/model'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textSchema } from '../../blocks/fixtures/block-documents.ts'
import type { JsonNode } from '../../blocks/json-node.ts'
import { importOne, linesIn } from '../../import/fixtures/import-files.ts'
import { blockTextOf, textBlocksOf } from '../../text/plain-text.ts'
import type { ExportSource } from '../export-source.ts'
import type { Feature } from '../features.ts'
import { docxBytesOf } from '../fixtures/docx-bytes.ts'
import { documentOf, sourceOf } from '../fixtures/export-sources.ts'
import { featureExamples } from '../fixtures/feature-examples.ts'
import { anyDocument } from '../fixtures/random-documents.ts'

/** Those that the reader knows again as they were, whatever follows them. */
const kept: readonly Feature[] = [
  'paragraphs',
  'headings',
  'alignment',
  'links',
  'lineBreaks',
  'breaksInHeadings',
  'quotes',
  'code',
]

const importAgain = async (source: ExportSource) => importOne('plan.docx', await docxBytesOf(source))

const readAgain = async (source: ExportSource): Promise<Node> =>
  Node.fromJSON(textSchema, { type: 'doc', content: (await importAgain(source)).blocks })

const withoutSpaces = (text: string): string => text.replaceAll(/\s+/g, '')

test('documents of blocks that the reader knows come back equal', async () => {
  const words: JsonNode = {
    type: 'paragraph',
    attrs: { align: null },
    content: [{ type: 'text', text: 'between' }],
  }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...kept), { minLength: 1, maxLength: 8 }), async (features) => {
      // Quotes and code that follow each other are one.
      const doc = documentOf(...features.flatMap((feature) => [...featureExamples[feature], words]))
      expect((await readAgain(sourceOf(doc, { title: 'Plan' }))).toJSON()).toEqual(doc.toJSON())
    }),
    { numRuns: 30 },
  )
})

test('tables keep their cells, their head and what is merged', async () => {
  for (const feature of ['tables', 'headerColumns', 'columnWidths', 'mergedCells'] as const) {
    const doc = documentOf(...featureExamples[feature])
    const [before, after] = [doc, await readAgain(sourceOf(doc))].map((each) => {
      const { headerRow } = each.firstChild!.attrs
      const cells = each.firstChild!.children.map((row) =>
        row.children
          .filter(({ textContent }) => textContent !== '')
          .map((cell) => [cell.textContent, cell.attrs['colspan'], cell.attrs['rowspan']]),
      )
      return { headerRow, cells }
    })
    expect(after, feature).toEqual(before)
  }
})

test('whatever its blocks are, every letter comes back', async () => {
  await fc.assert(
    fc.asyncProperty(anyDocument, async (doc) => {
      const source = sourceOf(doc)
      // A first heading may be read as the title.
      const { title, blocks } = await importAgain(source)
      const read = withoutSpaces(title + linesIn(blocks).join(''))
      for (const line of textBlocksOf(source.blocks))
        for (const part of blockTextOf(line).split(/[\n\uFFFC]/)) expect(read).toContain(withoutSpaces(part))
    }),
    { numRuns: 30 },
  )
})
