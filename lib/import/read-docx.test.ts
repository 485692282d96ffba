/** Documents of Word become the schema's blocks; what these cannot hold is named. */
import { describe, expect, test } from 'vitest'
import {
  docxOf,
  importOne,
  linesIn,
  pngOf,
  typesIn,
  wordLine,
  wordRelation,
  wordRelations,
  wordStyles,
} from './fixtures/import-files.ts'
import { prepareWordXml } from './word-xml.ts'

const importWord = (body: string, parts: Record<string, string | Uint8Array> = {}) =>
  importOne('plan.docx', docxOf(body, parts))

const withStyles = (...names: readonly string[]) => ({
  'word/styles.xml': wordStyles(...names),
  'word/_rels/document.xml.rels': wordRelations(wordRelation('s1', 'styles', 'styles.xml')),
})

test('headings, quotes, code and letters with marks', async () => {
  const { title, blocks, losses } = await importWord(
    [
      wordLine('The plan', 'Title'),
      wordLine('Why', 'heading1'),
      wordLine('bold', '', '<w:b/>') + wordLine('marked', '', '<w:highlight w:val="yellow"/>'),
      wordLine('said', 'Quote'),
      wordLine('a()', 'HTMLPreformatted') + wordLine('b()', 'HTMLPreformatted'),
      '<w:p><w:pPr><w:jc w:val="right"/></w:pPr><w:r><w:t>late</w:t></w:r></w:p>',
    ].join(''),
    withStyles('Title', 'heading 1', 'Quote', 'HTML Preformatted'),
  )
  expect(title).toBe('The plan')
  expect(typesIn(blocks)).toEqual([
    'heading',
    'paragraph',
    'paragraph',
    'blockquote',
    'codeBlock',
    'paragraph',
  ])
  expect(blocks[0]).toMatchObject({ attrs: { level: 1 } })
  expect(blocks[1]!.content![0]).toMatchObject({ text: 'bold', marks: [{ type: 'bold' }] })
  expect(blocks[2]!.content![0]).toMatchObject({ marks: [{ type: 'highlight' }] })
  expect(linesIn([blocks[4]!])).toEqual(['a()\nb()'])
  expect(blocks[5]).toMatchObject({ attrs: { align: 'end' } })
  expect(losses).toEqual([])
})

test('tables keep their head, their widths and what is merged', async () => {
  const cell = (text: string, properties = '') =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${wordLine(text)}</w:tc>`
  const { blocks } = await importWord(
    `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="1800"/><w:gridCol w:w="3000"/></w:tblGrid>
     <w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('A')}${cell('B')}</w:tr>
     <w:tr>${cell('wide', '<w:gridSpan w:val="2"/>')}</w:tr></w:tbl>`,
  )
  const [table] = blocks
  expect(table).toMatchObject({ type: 'table', attrs: { headerRow: true } })
  expect(table!.attrs!['columns']).toMatch(/^\S+:120: \S+:200:$/)
  expect(table!.content![1]!.content![0]).toMatchObject({ attrs: { colspan: 2 } })
})

test('pictures become files, with their alternative text', async () => {
  const drawing =
    '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="A dot"/><a:graphic><a:graphicData uri="x"><pic:pic><pic:blipFill><a:blip r:embed="p1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
  const { blocks, files } = await importWord(drawing, {
    'word/_rels/document.xml.rels': wordRelations(wordRelation('p1', 'image', 'media/a.png')),
    'word/media/a.png': pngOf(),
  })
  expect(blocks[0]).toMatchObject({ type: 'picture', attrs: { file: files[0]!.id, alt: 'A dot', width: 2 } })
})

test('comments are named, equations are read or named, and what footnotes say stays', async () => {
  const { blocks, losses } = await importWord(
    `<w:p><w:r><w:t>Sum</w:t></w:r><m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath><m:oMath><m:groupChr><m:e><m:r><m:t>c+d</m:t></m:r></m:e></m:groupChr></m:oMath><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
    {
      'word/_rels/document.xml.rels': wordRelations(
        wordRelation('f1', 'footnotes', 'footnotes.xml'),
        wordRelation('c1', 'comments', 'comments.xml'),
      ),
      'word/footnotes.xml': `<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:footnote w:id="2">${wordLine('See there')}</w:footnote></w:footnotes>`,
      'word/comments.xml': `<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="1">${wordLine('Why?')}</w:comment></w:comments>`,
    },
  )
  expect(linesIn(blocks)[0]).toBe('Sumc+d[1]')
  expect(blocks[0]!.content![1]).toEqual({ type: 'inlineMath', attrs: { latex: 'a+b' } })
  expect(linesIn(blocks).join('\n')).toContain('See there')
  expect(losses).toEqual(['1 footnote was moved to the end, as a list.', '1 equation became letters.'])
})

test('comments of Word are threads at their places, with their answers and their authors as names', async () => {
  const range = (id: number, text: string) =>
    `<w:commentRangeStart w:id="${id}"/><w:r><w:t>${text}</w:t></w:r><w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`
  const comment = (id: number, author: string, text: string) =>
    `<w:comment w:id="${id}" w:author="${author}" w:date="2026-11-28T10:0${id}:00Z"><w:p w14:paraId="P${id}"><w:r><w:t>${text}</w:t></w:r></w:p></w:comment>`
  const names = 'xmlns:w="w" xmlns:w14="w14" xmlns:w15="w15"'
  const { title, blocks, threads, losses } = await importWord(
    `<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr>${range(4, 'Plan')}</w:p><w:p><w:r><w:t>The </w:t></w:r>${range(1, 'fox')}<w:r><w:t> runs</w:t></w:r></w:p>`,
    {
      'word/styles.xml': wordStyles('Title'),
      'word/_rels/document.xml.rels': wordRelations(
        wordRelation('s1', 'styles', 'styles.xml'),
        wordRelation('c1', 'comments', 'comments.xml'),
      ),
      'word/comments.xml': `<?xml version="1.0"?><w:comments ${names}>${comment(1, 'Bo &amp; Co', 'Why &lt;fox&gt;?')}${comment(2, 'Ada', 'It is quick.')}${comment(4, 'Cy', 'Of what?')}</w:comments>`,
      'word/commentsExtended.xml': `<w15:commentsEx ${names}><w15:commentEx w15:paraId="P1" w15:done="1"/><w15:commentEx w15:paraId="P2" w15:paraIdParent="P1" w15:done="1"/></w15:commentsEx>`,
    },
  )
  expect([title, linesIn(blocks), losses]).toEqual(['Plan', ['The fox runs'], []])
  expect(threads).toMatchObject([
    {
      range: { from: { line: 0, offset: 4 }, to: { line: 0, offset: 7 } },
      quote: 'fox',
      messages: [
        { author: 'Bo & Co', at: '2026-11-28T10:01:00Z', text: 'Why <fox>?' },
        { author: 'Ada', text: 'It is quick.' },
      ],
      resolved: { by: 'Bo & Co' },
    },
    { range: null, messages: [{ author: 'Cy', text: 'Of what?' }] },
  ])
})

describe('refused with one sentence', () => {
  test.each([
    [
      'an external entity',
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><w:document xmlns:w="x"><w:body>&e;</w:body></w:document>',
    ],
    [
      'entities that grow',
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><w:document xmlns:w="x">&b;</w:document>',
    ],
    ['no document', ''],
  ])('%s', async (_what, main) => {
    await expect(importOne('a.docx', docxOf('', { 'word/document.xml': main }))).rejects.toThrow()
  })
})

test('headers, tracked deletions, embedded objects and unknown parts are named', async () => {
  const page = (letters: string) => `<w:hdr><w:p><w:r><w:t>${letters}</w:t></w:r></w:p></w:hdr>`
  const { losses } = await importOne(
    'a.docx',
    docxOf(
      `${wordLine('a')}<w:p><w:del><w:r><w:delText>b</w:delText></w:r></w:del><w:r><w:object/></w:r></w:p><w:altChunk/>`,
      { 'word/header1.xml': page('Secret'), 'word/footer1.xml': page('12') },
    ),
  )
  expect(losses).toEqual([
    '1 embedded object could not be imported.',
    '1 tracked deletion was left out.',
    'Headers and footers of pages could not be imported.',
    '1 part of a Word document could not be read and was left out.',
  ])
})

test('marks that begin nothing, by the thousand, are gone over once', async () => {
  const many = `${'<m:oMathX/>'.repeat(150_000)}<m:oMath><m:groupChr><m:t>a</m:t></m:groupChr></m:oMath>`
  const xml = prepareWordXml(`<w:body>${many}${'<w:pPr>'.repeat(100_000)}</w:pPr></w:body>`, () => {})
  expect(xml).toContain('<w:t xml:space="preserve">a</w:t>')
})

test('a picture that is linked is not read from the disk of the server', async () => {
  const drawing =
    '<w:p><w:r><w:t>before</w:t></w:r><w:r><w:drawing><wp:inline><wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="x"><pic:pic><pic:blipFill><a:blip r:link="p1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
  const target = `file://${import.meta.filename}`
  const { blocks, files, losses } = await importWord(drawing, {
    'word/_rels/document.xml.rels': wordRelations(wordRelation('p1', 'image', target, 'External')),
  })
  expect(linesIn(blocks)).toEqual(['before'])
  expect(files).toEqual([])
  expect(losses).toEqual(['1 image could not be imported.'])
})

test('a link of another scheme is letters', async () => {
  const { blocks } = await importWord(
    '<w:p><w:hyperlink r:id="l1"><w:r><w:t>click</w:t></w:r></w:hyperlink></w:p>',
    {
      'word/_rels/document.xml.rels': wordRelations(
        wordRelation('l1', 'hyperlink', 'javascript:alert(1)', 'External'),
      ),
    },
  )
  expect(blocks).toMatchObject([{ content: [{ type: 'text', text: 'click' }] }])
  expect(JSON.stringify(blocks)).not.toContain('javascript')
})
