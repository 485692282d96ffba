/**
 * What leaves as DOCX comes back from it: as it was where nobody has changed it, and from what Word saves, the same blocks where the reader
 * has them, and every letter otherwise.
 */
import { Node } from '@tiptap/pm/model'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textSchema } from '../../blocks/fixtures/block-documents.ts'
import type { JsonNode } from '../../blocks/json-node.ts'
import { importOne, linesIn } from '../../import/fixtures/import-files.ts'
import { blockTextOf, textBlocksOf } from '../../text/plain-text.ts'
import type { ExportSource } from '../export-source.ts'
import type { Feature } from '../features.ts'
import { docxBytesOf, png } from '../fixtures/docx-bytes.ts'
import { documentOf, sourceOf } from '../fixtures/export-sources.ts'
import { featureExamples } from '../fixtures/feature-examples.ts'
import { anyDocument, CARD_FILE } from '../fixtures/random-documents.ts'
import { jsonOf } from '../write-json.ts'
import { OWN_PART } from './own-part.ts'
import { runs } from '../../fixtures/runs.ts'

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

/** Word leaves out a part that nothing leads to. */
async function savedByWord(source: ExportSource): Promise<Uint8Array> {
  const { [OWN_PART]: _own, ...parts } = unzipSync(await docxBytesOf(source))
  return zipSync(parts)
}

const importAgain = async (source: ExportSource) => importOne('plan.docx', await savedByWord(source))

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
    { numRuns: runs(10, 30) },
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
    { numRuns: runs(10, 30) },
  )
})

describe('a DOCX that nobody has changed', () => {
  test('comes back as it was, whatever its blocks are', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (doc) => {
        const source = sourceOf(doc, { title: 'Plan' })
        const { title, blocks, losses } = await importOne('plan.docx', await docxBytesOf(source))
        const normal = (content: readonly JsonNode[]) =>
          Node.fromJSON(textSchema, { type: 'doc', content }).toJSON()
        const written = jsonOf(source).text.content
        expect([title, losses]).toEqual(['Plan', []])
        // A file that the DOCX does not have is a link, as in Word.
        if (!JSON.stringify(written).includes(CARD_FILE)) expect(normal(blocks)).toEqual(normal(written))
        else expect(JSON.stringify(blocks)).toContain(`/files/${CARD_FILE}`)
      }),
      { numRuns: runs(15, 60) },
    )
  })

  test('has its pictures and its comments, and none whose text is gone', async () => {
    const source = sourceOf(documentOf(...featureExamples.pictures, ...featureExamples.comments), {
      commentOn: 'words',
    })
    const gone = { ...source.threads[0]!, range: null }
    const { files, threads } = await importOne(
      'plan.docx',
      await docxBytesOf({ ...source, threads: [...source.threads, gone] }),
    )
    expect(files.map(({ bytes }) => Buffer.from(bytes).equals(Buffer.from(png)))).toEqual([true])
    expect(threads).toEqual(jsonOf(source).comments)
  })
})

test('a DOCX that another program has changed is read as it is now', async () => {
  const parts = unzipSync(await docxBytesOf(sourceOf(documentOf(...featureExamples.callouts))))
  const main = strFromU8(parts['word/document.xml']!).replace('words', 'letters')
  const changed = zipSync({ ...parts, 'word/document.xml': strToU8(main) })
  const { blocks } = await importOne('plan.docx', changed)
  expect(linesIn(blocks).join('')).toContain('letters')
  expect(JSON.stringify(blocks)).not.toContain('words')
})

test('comments come back at their places from what Word saves', async () => {
  const source = sourceOf(documentOf(...featureExamples.comments), { commentOn: 'words' })
  const { threads } = await importAgain(source)
  const [thread] = jsonOf(source).comments
  expect(threads).toMatchObject([
    { range: thread!.range, quote: 'words', messages: [{ author: 'Bo', text: 'Why?' }] },
  ])
})
