/** What docs/FORMATS.md says of each feature in each format is what the writers write. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { textSchema } from '../blocks/fixtures/block-documents.ts'
import type { JsonNode } from '../blocks/json-node.ts'
import { exportStrings } from '../strings/export.ts'
import { parseMarkdown } from '../text/from-markdown.ts'
import { treeOf } from '../text/tree.ts'
import { docxBytesOf } from './fixtures/docx-bytes.ts'
import { type Feature, featureNames, features, featuresIn, lossesOf, lossSentences } from './features.ts'
import { documentOf, sourceOf } from './fixtures/export-sources.ts'
import { featureExamples } from './fixtures/feature-examples.ts'
import type { ExportSource } from './export-source.ts'
import { writeHtml } from './write-html.ts'
import { jsonOf } from './write-json.ts'
import { writeMarkdownFile } from './write-markdown.ts'
import { writeText } from './write-text.ts'

const formats = ['markdown', 'html', 'docx', 'txt'] as const

function exampleOf(feature: Feature): ExportSource {
  if (feature === 'unknown') return unknownSource()
  const doc = documentOf(...featureExamples[feature])
  if (feature !== 'comments' && feature !== 'detachedComments') return sourceOf(doc, { title: '' })
  const source = sourceOf(doc, { title: '', commentOn: 'words' })
  if (feature === 'comments') return source
  return { ...source, threads: source.threads.map((thread) => ({ ...thread, range: null })) }
}

/** As another program writes it. */
function unknownSource(): ExportSource {
  const text = new Y.Doc().getXmlFragment('default')
  const [block, line] = [new Y.XmlElement('hologram'), new Y.XmlElement('paragraph')]
  line.insert(0, [new Y.XmlText('words')])
  block.insert(0, [line])
  text.insert(0, [block])
  return { ...sourceOf(documentOf(...featureExamples.paragraphs), { title: '' }), blocks: treeOf(text) }
}

const featuresOf = (source: ExportSource): ReadonlySet<Feature> => {
  const { text, comments } = jsonOf(source)
  return featuresIn(text, comments)
}

test.each(featureNames)('%s: a document that has it is known to have it', (feature) => {
  expect(featuresOf(exampleOf(feature))).toContain(feature)
})

describe('Markdown', () => {
  /** Addresses lead elsewhere: they are compared apart. */
  const addresses = new Set<Feature>([
    'pictures',
    'newerPictures',
    'pictureSizes',
    'captions',
    'files',
    'comments',
    'detachedComments',
    'unknown',
  ])

  test.each(featureNames.filter((feature) => !addresses.has(feature)))(
    '%s: exact, or the named loss',
    (feature) => {
      const source = exampleOf(feature)
      const { blocks } = parseMarkdown(writeMarkdownFile(source, () => null))
      const read = textSchema.nodeFromJSON({ type: 'doc', content: blocks }).toJSON() as JsonNode
      const written = documentOf(...featureExamples[feature]).toJSON() as JsonNode
      const isExact = JSON.stringify(read) === JSON.stringify(written)
      expect(isExact, JSON.stringify([read, written])).toBe(lossesOf(feature).markdown === undefined)
    },
  )
})

describe('JSON', () => {
  test.each(featureNames.filter((feature) => feature !== 'unknown'))('%s: exact', (feature) => {
    const { text, comments } = jsonOf(exampleOf(feature))
    expect(textSchema.nodeFromJSON(text).toJSON()).toEqual(documentOf(...featureExamples[feature]).toJSON())
    expect(comments).toHaveLength(feature === 'comments' || feature === 'detachedComments' ? 1 : 0)
  })

  test('unknown: as it is', () => {
    expect(jsonOf(exampleOf('unknown')).text.content).toMatchObject([{ type: 'hologram' }])
  })
})

/** What shows that a format has it. A format that loses it has none of this. */
type Signs = Readonly<Record<Feature, RegExp>>

function describeSigns(
  format: 'html' | 'docx' | 'txt',
  write: (source: ExportSource) => Promise<string>,
  signs: Signs,
) {
  describe(format, () => {
    test.each(featureNames)('%s: exact, or the named loss', async (feature) => {
      const written = await write(exampleOf(feature))
      if (lossesOf(feature)[format] === undefined) expect(written).toMatch(signs[feature])
      else expect(written).not.toMatch(signs[feature])
      // Whatever is lost, the letters are there.
      const without: Feature[] = ['formulas', 'rareFormulas', 'dividers', 'mentions', 'dates', 'code']
      if (!without.includes(feature)) expect(written).toContain('words')
    })
  })
}

describeSigns(
  'html',
  async (source) =>
    writeHtml(source)
      .map((part) => (typeof part === 'string' ? part : ''))
      .join(''),
  {
    paragraphs: /<p>words<\/p>/,
    emptyParagraphs: /<p><\/p>/,
    headings: /<h2[^>]*>words<\/h2>/,
    alignment: /<p data-align="center">/,
    letters: /<strong>.*<em>.*<u>.*<s>.*<code>.*<sub>.*<sup>.*<mark data-color="green">words<\/mark>/,
    links: /<a href="https:\/\/example\.org\/a"[^>]*>words<\/a>/,
    lineBreaks: /words<br>more/,
    breaksInHeadings: /<h2[^>]*>words<br>more/,
    lists: /<ol start="3">\s*<li[^>]*>.*<ul>\s*<li/s,
    numbering: /<ol type="i">/,
    tasks: /<input type="checkbox" checked disabled>/,
    quotes: /<blockquote dir="auto"><p>words/,
    callouts: /data-callout="tip"/,
    toggles: /<details[^>]*><summary>summary<\/summary>/,
    code: /<pre><code>a\n {2}b<\/code><\/pre>/,
    codeLanguages: /<code class="language-python">/,
    formulas: /<math.*<msup>.*<math.*<msub>/s,
    rareFormulas: /<math.*<menclose/s,
    tables: /<thead>.*<th.*<td[^>]*data-align="center"/s,
    headerColumns: /<tbody>\s*<tr><th/,
    columnWidths: /<col width="120">/,
    mergedCells: /colspan="2"/,
    blocksInCells: /<td[^>]*><ul>/,
    pictures: /<img src="data:image\/png;base64,[^"]*" alt="Seen".*words<\/div><\/figcaption>/s,
    newerPictures: /<img src="data:image\/webp;base64,/,
    pictureSizes: /data-percent="50"/,
    captions: /<figcaption>.*<strong>words/,
    files: /href="data:application/,
    linkCards: /class="card".*words.*href="https:\/\/example\.org\/"/s,
    dividers: /<hr>/,
    contents: /<nav.*<a href="#section-1">words/s,
    mentions: /user:ada/,
    dates: /<time datetime="2026-11-28" data-date="2026-11-28">/,
    comments: /<aside class="comments">.*Why\?/s,
    detachedComments: /<aside class="comments">.*Why\?/s,
    unknown: /hologram/,
  },
)

const docxOf = async (source: ExportSource): Promise<string> => {
  const files = unzipSync(await docxBytesOf(source))
  return ['word/document.xml', 'word/numbering.xml', 'word/_rels/document.xml.rels', 'word/comments.xml']
    .map((name) => (files[name] ? strFromU8(files[name]) : ''))
    .join('\n')
}

describeSigns('docx', docxOf, {
  paragraphs: /<w:t[^>]*>words/,
  emptyParagraphs: /words.*<w:p\/>.*words/s,
  headings: /"Heading2".*words/s,
  alignment: /<w:jc w:val="center"\/>/,
  letters:
    /<w:b\/>.*<w:i\/>.*<w:u .*<w:strike\/>.*Consolas.*"subscript".*"superscript".*<w:highlight w:val="green"\/>/s,
  links: /<w:hyperlink .*words.*Target="https:\/\/example\.org\/a"/s,
  lineBreaks: /words.*<w:br\/>.*more/s,
  breaksInHeadings: /"Heading2".*words.*<w:br\/>.*more/s,
  lists: /<w:ilvl w:val="0"\/>.*<w:ilvl w:val="1"\/>.*<w:start w:val="3"\/>/s,
  numbering: /lowerRoman/,
  tasks: /<w14:checked w14:val="(?:1|true)"\/>/,
  quotes: /<w:pBdr>.*<w:ind w:start="567"\/>.*words/s,
  callouts: /data-callout/,
  toggles: /<details/,
  code: /"Code".*>a<.*<w:br\/>.* {2}b/s,
  codeLanguages: /python/,
  formulas: /<m:oMath>.*<m:sSup>.*<m:oMathPara>.*<m:sSub>/s,
  rareFormulas: /<m:oMath>/,
  tables: /<w:tblHeader\/>.*<w:jc w:val="center"\/>/s,
  headerColumns: /<w:tblHeader\/>.*"TableHeading".*<w:tr>.*"TableHeading"/s,
  columnWidths: /<w:gridCol w:w="1800"\/>/,
  mergedCells: /<w:gridSpan w:val="2"\/>/,
  blocksInCells: /<w:tc>.*<w:numPr>.*<\/w:tc>/s,
  pictures: /<pic:pic .*words/s,
  newerPictures: /<pic:pic /,
  pictureSizes: /<wp:extent cx="2867025"/,
  captions: /"Caption".*<w:b\/>/s,
  files: /embeddings/,
  linkCards: /class="card"/,
  dividers: /<w:pBdr><w:bottom/,
  contents: /fldChar/,
  mentions: /user:ada/,
  dates: /2026-11-28/,
  comments: /<w:commentReference.*Why\?/s,
  detachedComments: /Why\?/,
  unknown: /hologram/,
})

describeSigns('txt', async (source) => writeText(source), {
  paragraphs: /^words$/m,
  emptyParagraphs: /words\n\n\n\nwords/,
  headings: /#/,
  alignment: /^ +words/,
  letters: /\*/,
  links: /words <https:\/\/example\.org\/a>/,
  lineBreaks: /words\nmore/,
  breaksInHeadings: /words\nmore/,
  lists: /^3\. words\n {3}- words$/m,
  numbering: /i\. /,
  tasks: /\[x\] words/,
  quotes: /^> words/m,
  callouts: /\[!TIP\]/,
  toggles: /▸|<details/,
  code: /```/,
  codeLanguages: /python/,
  formulas: /x²/,
  rareFormulas: /<math/,
  tables: /\|/,
  headerColumns: /\|/,
  columnWidths: /\|/,
  mergedCells: /\|/,
  blocksInCells: /\|/,
  pictures: /http|data:/,
  newerPictures: /http|data:/,
  pictureSizes: /50/,
  captions: /\*/,
  files: /http|data:/,
  linkCards: /┌/,
  dividers: /\* \* \*/,
  contents: /#section/,
  mentions: /user:ada/,
  dates: /<time/,
  comments: /Why\?/,
  detachedComments: /Why\?/,
  unknown: /hologram/,
})

describe('docs/FORMATS.md', () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/FORMATS.md'), 'utf8')
  const rowsIn = (text: string) =>
    [...text.matchAll(/^\|(.*)\|$/gm)].map(([, row]) => row!.split('|').map((cell) => cell.trim()))

  test('its table says the same as the dialog', () => {
    const [head, , ...rows] = rowsIn(/## What each format keeps\n([^]*?)\n## /.exec(document)![1]!)
    expect(head).toEqual(['', 'Markdown', 'HTML', 'DOCX', 'Text'])
    const expected = featureNames.map((feature) => [
      exportStrings.features[feature],
      ...formats.map((format) => lossesOf(feature)[format] ?? exportStrings.exact),
    ])
    expect(rows).toEqual(expected)
  })
})

test('a zip and JSON lose nothing, and a sentence is said once', () => {
  const all = new Set(featureNames)
  expect([lossSentences(all, 'zip'), lossSentences(all, 'json')]).toEqual([[], []])
  const sentences = lossSentences(all, 'txt')
  expect(new Set(sentences).size).toBe(sentences.length)
  expect(Object.keys(features)).toEqual(Object.keys(exportStrings.features))
})
