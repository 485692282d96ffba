import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documentWith, sharedTextOf, textSchema } from '../blocks/fixtures/block-documents.ts'
import { hostileValues } from '../blocks/fixtures/hostile-values.ts'
import { treeOf } from '../text/tree.ts'
import { ExportTooLarge, MAX_EMBEDDED_BYTES } from './export-limits.ts'
import type { ExportSource } from './export-source.ts'
import { DOCUMENT, documentOf, ORIGIN, sourceOf } from './fixtures/export-sources.ts'
import { anyDocument, CARD_FILE, PICTURE_FILE } from './fixtures/random-documents.ts'
import { writeHtml } from './write-html.ts'
import { runs } from '../fixtures/runs.ts'

const htmlOf = (source: ExportSource): string =>
  writeHtml(source)
    .map((part) => (typeof part === 'string' ? part : `{bytes of ${part.file}}`))
    .join('')

const paragraph = (text: string, marks: { type: string; attrs?: object }[] = []) => ({
  type: 'paragraph',
  content: [{ type: 'text', text, marks: marks as never }],
})

const picture = {
  type: 'picture',
  attrs: {
    file: PICTURE_FILE,
    name: 'a.png',
    type: 'image/png',
    width: 2,
    height: 1,
    alt: 'A "dot"',
    percent: 50,
  },
  content: [{ type: 'caption', content: [{ type: 'text', text: 'Below' }] }],
}

const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>|<!doctype html>/g
const knownTags =
  /^(?:html|head|meta|title|style|body|main|aside|nav|h[1-6]|p|ul|ol|li|blockquote|details|summary|pre|code|div|span|table|colgroup|col|thead|tbody|tr|th|td|figure|figcaption|img|hr|br|a|strong|em|u|s|mark|sub|sup|time|input|small|math|m[a-z]+|semantics)$/
const knownFields =
  /^(?:lang|dir|charset|name|content|http-equiv|class|id|href|rel|target|title|src|alt|width|height|type|start|checked|disabled|open|datetime|role|rowspan|colspan|aria-label|data-[a-z-]+|accent|display|displaystyle|encoding|fence|form|lspace|rspace|mathvariant|mathcolor|scriptlevel|separator|stretchy|style|linethickness|columnalign|columnspacing|rowspacing|minsize|maxsize|movablelimits|largeop|symmetric|voffset|depth)$/

/** What a browser would read: each tag and attribute is one that a writer makes, and no letter is left that begins another. */
function expectInert(html: string): void {
  for (const [, , name, fields] of html.matchAll(tag)) {
    if (name === undefined) continue
    expect(name).toMatch(knownTags)
    for (const [, field, value = ''] of fields!.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)) {
      expect(field).toMatch(knownFields)
      if (field === 'href' || field === 'src')
        expect(value).toMatch(/^(?:https?:|mailto:|tel:|#|data:image\/)/)
    }
  }
  const rest = html.replace(/<style>[^]*?<\/style>/, '').replaceAll(tag, '')
  expect(rest).not.toMatch(/[<>]/)
}

test('whatever its blocks are, a page has nothing that runs and each tag is ended', () => {
  fc.assert(
    fc.property(anyDocument, (doc) => {
      const html = htmlOf(sourceOf(doc))
      expectInert(html)
      for (const name of ['p', 'li', 'div', 'table', 'blockquote', 'details', 'figure', 'math', 'span'])
        expect(html.split(new RegExp(`<${name}[ >]`)).length, name).toBe(html.split(`</${name}>`).length)
    }),
    { numRuns: runs(50, 200) },
  )
})

describe.each(hostileValues)('what another program stored: %s', (_label, value) => {
  test('runs nowhere', () => {
    for (const type of Object.values(textSchema.nodes)) {
      if (type === textSchema.topNodeType || type.isText) continue
      const text = sharedTextOf(documentWith(type, {}, ['letters']))
      for (const attribute of [...Object.keys(type.spec.attrs ?? {}), 'onclick', 'style']) {
        const element = text
          .createTreeWalker((node) => 'nodeName' in node && node.nodeName === type.name)
          .next().value
        if (element && 'setAttribute' in element)
          (element.setAttribute as (key: string, to: unknown) => void)(attribute, value)
      }
      expectInert(htmlOf({ ...sourceOf(documentOf(paragraph('x'))), blocks: treeOf(text) }))
    }
  })
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '</style><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '\0<script>\0',
])('letters and a title of %j are letters', (letters) => {
  const html = htmlOf(sourceOf(documentOf(paragraph(letters)), { title: letters, commentOn: letters.trim() }))
  expectInert(html)
})

test.each([
  'javascript:alert(1)',
  'JAVA\nSCRIPT:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
])('a link to %j leads nowhere', (href) => {
  expectInert(htmlOf(sourceOf(documentOf(paragraph('a', [{ type: 'link', attrs: { href } }])))))
})

test.each([
  '\\href{javascript:alert(1)}{x}',
  '\\style{color:red;background:url(https://evil.example)}{x}',
  '\\class{evil}{x}',
  '\\includegraphics{https://evil.example/a.png}',
  '\\text{<img src=x onerror=alert(1)>}',
  '\\unicode{x3c}script',
  '\\color{url(javascript:1)}x',
  'x < y > z & "',
])('the formula %j has nothing that runs', (latex) => {
  const html = htmlOf(sourceOf(documentOf({ type: 'blockMath', attrs: { latex } })))
  expectInert(html)
  expect(html).not.toMatch(/<[^>]*evil/)
})

describe('a page', () => {
  test('needs nothing else, and says what it is', () => {
    const html = htmlOf(sourceOf(documentOf(paragraph('Hello')), { title: 'Plan & more' }))
    expect(html).toContain('<html lang="en-GB" dir="ltr">')
    expect(html).toContain('<title>Plan &amp; more</title>')
    expect(html).toContain('<h1 class="title" dir="auto">Plan &amp; more</h1>')
    expect(html).toContain('<meta name="author" content="Ada Wren">')
    expect(html).toContain(
      `content="default-src 'none'; img-src data: https: http:; style-src 'unsafe-inline'"`,
    )
    expect(html).not.toMatch(/<link|@import|url\(/)
  })

  test('in Hebrew is read from the right', () => {
    expect(htmlOf(sourceOf(documentOf(paragraph('1. שלום')), { title: '' }))).toContain('dir="rtl"')
  })

  test('has pictures in it, with their alternative text and width', () => {
    const html = htmlOf(sourceOf(documentOf(picture)))
    expect(html).toContain(
      `<figure data-percent="50"><img src="data:image/png;base64,{bytes of ${PICTURE_FILE}}" alt="A &quot;dot&quot;" width="2" height="1">`,
    )
    expect(html).toContain('Below')
  })

  test('names pictures by address beyond its limit', () => {
    const files = [{ id: PICTURE_FILE, name: 'a.png', type: 'image/png', bytes: MAX_EMBEDDED_BYTES + 1 }]
    const html = htmlOf(sourceOf(documentOf(picture), { changes: { files } }))
    expect(html).toContain(`src="${ORIGIN}/api/documents/${DOCUMENT}/files/${PICTURE_FILE}"`)
  })

  test('says where a picture is missing', () => {
    const html = htmlOf(sourceOf(documentOf(picture), { changes: { files: [] } }))
    expect(html).toContain('Picture: A &quot;dot&quot;. Its file is missing.')
  })

  test('has formulas as MathML', () => {
    const html = htmlOf(sourceOf(documentOf({ type: 'blockMath', attrs: { latex: '\\frac{a}{b}' } })))
    expect(html).toMatch(/<div class="math"[^>]*><math[^>]*>.*<mfrac>/)
  })

  test('leads from the table of contents to the headings', () => {
    const heading = { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Costs' }] }
    const html = htmlOf(sourceOf(documentOf({ type: 'tableOfContents' }, heading)))
    expect(html).toContain('<a href="#section-1">Costs</a>')
    expect(html).toContain('<h2 dir="auto" id="section-1">Costs</h2>')
  })

  test('has comments below, with their place', () => {
    const html = htmlOf(sourceOf(documentOf(paragraph('one two three')), { commentOn: 'two' }))
    expect(html).toContain(
      'two<sup class="comment-number"><a id="comment-1-place" href="#comment-1">[1]</a></sup> three',
    )
    expect(html).toMatch(/<li id="comment-1">.*two.*Bo, .*Why\?/s)
  })

  test('repeats the head of a table on paper, and keeps merges, widths and alignment', () => {
    const cell = (text: string, attrs: object) => ({ type: 'tableCell', attrs, content: [paragraph(text)] })
    const table = {
      type: 'table',
      attrs: { columns: 'a:120: b::center', headerRow: true },
      content: [
        { type: 'tableRow', content: [cell('A', { col: 'a' }), cell('B', { col: 'b' })] },
        { type: 'tableRow', content: [cell('C', { col: 'a', colspan: 2 })] },
      ],
    }
    const html = htmlOf(sourceOf(documentOf(table as never)))
    expect(html).toMatch(/<col width="120"><col><\/colgroup><thead><tr><th[^>]*>.*A.*<\/thead><tbody>/s)
    expect(html).toContain('<th dir="auto" data-align="center">')
    expect(html).toContain('<td dir="auto" colspan="2">')
  })

  test('file cards and document mentions lead to the server', () => {
    const card = {
      type: 'fileCard',
      attrs: { file: CARD_FILE, name: 'b.pdf' },
      content: [{ type: 'caption' }],
    }
    const mention = { type: 'mention', attrs: { kind: 'document', id: DOCUMENT, label: 'Plan' } }
    const html = htmlOf(sourceOf(documentOf(card, { type: 'paragraph', content: [mention] })))
    expect(html).toContain(`href="${ORIGIN}/api/documents/${DOCUMENT}/files/${CARD_FILE}"`)
    expect(html).toContain(`<a class="mention" href="${ORIGIN}/d/${DOCUMENT}">Plan</a>`)
  })
})

test('what grows with each other is counted: 1,100 tables of contents of 1,100 headings', () => {
  const blocks = Array.from({ length: 1_100 }, () => [
    { type: 'tableOfContents' },
    { type: 'heading', content: [{ type: 'text', text: 'x' }] },
  ]).flat()
  expect(() => writeHtml(sourceOf(documentOf(...blocks)))).toThrow(ExportTooLarge)
})
