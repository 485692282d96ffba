import { strFromU8, unzipSync } from 'fflate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonNode } from '../../blocks/json-node.ts'
import { blockTextOf, textBlocksOf } from '../../text/plain-text.ts'
import type { ExportSource } from '../export-source.ts'
import { docxBytesOf, png } from '../fixtures/docx-bytes.ts'
import { documentOf, ORIGIN, sourceOf } from '../fixtures/export-sources.ts'
import { anyDocument, PICTURE_FILE } from '../fixtures/random-documents.ts'
import { runs } from '../../fixtures/runs.ts'

async function partsOf(source: ExportSource): Promise<Record<string, string>> {
  const files = unzipSync(await docxBytesOf(source))
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]))
}

const bodyOf = async (...content: readonly JsonNode[]): Promise<string> =>
  (await partsOf(sourceOf(documentOf(...content), { title: '' })))['word/document.xml']!

const text = (letters: string, ...marks: { type: string; attrs?: Record<string, unknown> }[]): JsonNode => ({
  type: 'text',
  text: letters,
  ...(marks.length > 0 && { marks }),
})
const paragraph = (...content: JsonNode[]): JsonNode => ({ type: 'paragraph', content })

/** Each tag is ended by its own name, and no sign is left that XML does not have. */
function expectWellFormed(xml: string): void {
  const open: string[] = []
  for (const [, slash, name, end] of xml.matchAll(/<(\/?)([\w:]+)(?:\s+[\w:]+="[^"<]*")*\s*(\/?)>/g)) {
    if (slash) expect(open.pop()).toBe(name)
    else if (!end) open.push(name!)
  }
  expect(open).toEqual([])
  expect(xml.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[<>]|(?![\t\n\r])\p{Cc}|&(?!\w+;|#)/u)
}

const lettersIn = (xml: string): string =>
  xml
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

test('whatever its blocks are, a file is well-formed, and no letter is lost', async () => {
  await fc.assert(
    fc.asyncProperty(anyDocument, async (doc) => {
      const source = sourceOf(doc)
      const parts = await partsOf(source)
      for (const [name, xml] of Object.entries(parts)) if (/\.(?:xml|rels)$/.test(name)) expectWellFormed(xml)
      const letters = lettersIn(parts['word/document.xml']!)
      for (const line of textBlocksOf(source.blocks))
        for (const part of blockTextOf(line).split(/[\n\uFFFC]/)) expect(letters).toContain(part)
    }),
    { numRuns: runs(15, 60) },
  )
})

test.each(['\0\x01\x0b\uFFFE', '\uD800', ']]>', '<w:p/>', '&amp;', '\r\n\r'])(
  'letters of %j and a title of them make no broken file',
  async (letters) => {
    const link = { type: 'link', attrs: { href: `https://example.org/${letters}` } }
    const doc = documentOf(paragraph(text(`a${letters}b`, link)))
    const parts = await partsOf(sourceOf(doc, { title: letters }))
    for (const [name, xml] of Object.entries(parts)) if (/\.(?:xml|rels)$/.test(name)) expectWellFormed(xml)
  },
)

describe('in Word', () => {
  test('headings, marks and links are what they are', async () => {
    const xml = await bodyOf(
      { type: 'heading', attrs: { level: 3 }, content: [text('Costs')] },
      paragraph(
        text('b', { type: 'bold' }),
        text('h', { type: 'highlight', attrs: { color: 'green' } }),
        text('s', { type: 'superscript' }),
      ),
    )
    expect(xml).toMatch(/<w:pStyle w:val="Heading3"\/>.*Costs/s)
    expect(xml).toMatch(/<w:b\/>.*>b</s)
    expect(xml).toContain('<w:highlight w:val="green"/>')
    expect(xml).toContain('<w:vertAlign w:val="superscript"/>')
  })

  test('lists have levels, their first number and their numerals', async () => {
    const inner: JsonNode = {
      type: 'bulletList',
      content: [{ type: 'listItem', content: [paragraph(text('in'))] }],
    }
    const item: JsonNode = { type: 'listItem', content: [paragraph(text('out')), inner] }
    const doc = documentOf({ type: 'orderedList', attrs: { start: 4, type: 'i' }, content: [item] })
    const parts = await partsOf(sourceOf(doc))
    expect(parts['word/document.xml']).toMatch(/<w:ilvl w:val="0"\/>.*out.*<w:ilvl w:val="1"\/>.*in</s)
    expect(parts['word/numbering.xml']).toMatch(/<w:start w:val="4"\/><w:numFmt w:val="lowerRoman"\/>/)
  })

  test('tasks have boxes', async () => {
    const item: JsonNode = { type: 'taskItem', attrs: { checked: true }, content: [paragraph(text('do'))] }
    expect(await bodyOf({ type: 'taskList', content: [item] })).toMatch(
      /<w14:checked w14:val="(?:1|true)"\/>.*do</s,
    )
  })

  test('tables have a head, merges, widths and alignment', async () => {
    const cell = (attrs: Record<string, unknown>): JsonNode => ({
      type: 'tableCell',
      attrs,
      content: [paragraph(text('x'))],
    })
    const xml = await bodyOf({
      type: 'table',
      attrs: { columns: 'a:120: b:80:center', headerRow: true },
      content: [
        { type: 'tableRow', content: [cell({ col: 'a' }), cell({ col: 'b' })] },
        { type: 'tableRow', content: [cell({ col: 'a', colspan: 2 })] },
      ],
    })
    expect(xml).toContain('<w:tblHeader/>')
    expect(xml).toContain('<w:gridSpan w:val="2"/>')
    expect(xml).toContain('<w:gridCol w:w="1800"/><w:gridCol w:w="1200"/>')
    expect(xml).toContain('<w:jc w:val="center"/>')
  })

  test('pictures have their bytes, alternative text and caption', async () => {
    const doc = documentOf({
      type: 'picture',
      attrs: {
        file: PICTURE_FILE,
        name: 'a.png',
        type: 'image/png',
        width: 4,
        height: 2,
        alt: 'A "dot"',
        percent: 50,
      },
      content: [{ type: 'caption', content: [text('Below')] }],
    })
    const files = unzipSync(await docxBytesOf(sourceOf(doc)))
    const [media] = Object.entries(files).filter(([name]) => name.startsWith('word/media/'))
    expect(Buffer.from(media![1]).equals(png)).toBe(true)
    const xml = strFromU8(files['word/document.xml']!)
    expect(xml).toContain('descr="A &quot;dot&quot;"')
    expect(xml).toMatch(/<wp:extent cx="2867025" cy="1438275"\/>.*Below/s)
  })

  test('comments are comments, with their answers', async () => {
    const parts = await partsOf(sourceOf(documentOf(paragraph(text('one two three'))), { commentOn: 'two' }))
    expect(parts['word/document.xml']).toMatch(
      /one .*<w:commentRangeStart w:id="0"\/>.*two.*<w:commentRangeEnd w:id="0"\/>.*<w:commentReference w:id="0"\/>.* three/s,
    )
    expect(parts['word/comments.xml']).toMatch(/w:author="Bo".*Why\?/s)
  })

  test('Hebrew is read from the right, and the file says title, author and language', async () => {
    const parts = await partsOf(sourceOf(documentOf(paragraph(text('שלום'))), { title: 'Plan & more' }))
    expect(parts['word/document.xml']).toMatch(/<w:bidi\/>.*<w:rtl\/>.*שלום/s)
    expect(parts['docProps/core.xml']).toContain('<dc:title>Plan &amp; more</dc:title>')
    expect(parts['docProps/core.xml']).toContain('<dc:creator>Ada Wren</dc:creator>')
    expect(parts['word/styles.xml']).toContain('en-GB')
  })

  test('files and documents are links to the server', async () => {
    const doc = documentOf({
      type: 'fileCard',
      attrs: { file: PICTURE_FILE, name: 'b.pdf' },
      content: [{ type: 'caption', content: [text('Report')] }],
    })
    const parts = await partsOf(sourceOf(doc))
    expect(parts['word/_rels/document.xml.rels']).toContain(`${ORIGIN}/api/documents/`)
  })
})
