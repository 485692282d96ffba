/** Zips of documents with their files, as this program and Notion write them; and zips that want too much. */
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { writeBlocks } from '../../server/api/write-blocks.ts'
import { readExportSource } from '../export/export-source.ts'
import { writeEntries } from '../export/write-entries.ts'
import { createFileId } from '../files/file-reference.ts'
import {
  docxOf,
  importFile,
  importOne,
  linesIn,
  pngOf,
  typesIn,
  wordLine,
  zipOf,
} from './fixtures/import-files.ts'
import { ImportRefused } from './imported-document.ts'
import { triesAll } from '../fixtures/runs.ts'

describe('Markdown with files', () => {
  test('has pictures and cards where it names them, and says what it does not name', async () => {
    const { title, blocks, files, losses } = await importOne(
      'notes.zip',
      zipOf({
        'notes.md':
          '# Plan\n\nLook: ![A dot](img/a%20b.png "Small") there\n\n[The paper](./paper.pdf)\n\n![gone](no.png)\n',
        'img/a b.png': pngOf(),
        'paper.pdf': '%PDF-',
        'unused.bin': 'x',
        '__MACOSX/._notes.md': 'x',
      }),
    )
    expect(title).toBe('Plan')
    expect(typesIn(blocks)).toEqual(['paragraph', 'picture', 'paragraph', 'fileCard'])
    expect(linesIn(blocks)).toEqual(['Look: ', 'Small', ' there', 'The paper'])
    expect(blocks[1]!.attrs).toMatchObject({ name: 'a b.png', type: 'image/png', width: 2, alt: 'A dot' })
    expect(files.map(({ name }) => name)).toEqual(['a b.png', 'paper.pdf'])
    expect(losses).toEqual([
      '1 image could not be imported.',
      '1 file is used in no document and was left out.',
    ])
  })

  test('of several documents makes several', async () => {
    const { documents } = await importFile(
      'notes.zip',
      zipOf({ 'a.md': 'one', 'b/c.html': '<h1>Two</h1><p>two</p>', 'd.docx': docxOf(wordLine('three')) }),
    )
    expect(documents.map(({ title, blocks }) => [title, ...linesIn(blocks)])).toEqual([
      ['a', 'one'],
      ['Two', 'two'],
      ['d', 'three'],
    ])
  })
})

test('an export of Notion comes without the ids in its names, from a zip within the zip', async () => {
  const id = '0123456789abcdef0123456789abcdef'
  const inner = zipOf({
    [`Trip ${id}.md`]: `# Trip\n\n![Map](Trip%20${id}/map.png)\n`,
    [`Trip ${id}/map.png`]: pngOf(),
    [`Costs ${id}.csv`]: 'A,B\n1,2\n',
    [`Costs ${id}_all.csv`]: 'A,B\n1,2\n',
  })
  const { documents, losses } = await importFile('Export.zip', zipOf({ 'Export-Part-1.zip': inner }))
  expect(documents.map(({ title, blocks }) => [title, ...typesIn(blocks)])).toEqual([
    ['Trip', 'picture'],
    ['Costs', 'table'],
  ])
  expect(losses).toEqual([])
})

test('zips within the zip that have the same names lose no document, and each finds its own pictures', async () => {
  const [one, two] = [2, 5].map((width) =>
    zipOf({
      'Plan.md': `width ${width}\n\n![](a.png)\n`,
      'a.png': pngOf(width),
      ...(width === 5 && { 'Plan.json': '{}', 'Other.md': '![](a.png)\n' }),
    }),
  )
  const { documents, losses } = await importFile('all.zip', zipOf({ 'one.zip': one!, 'two.zip': two! }))
  const widthOf = ({ blocks }: (typeof documents)[number]) => blocks.at(-1)!.attrs!['width']
  expect(documents.map((document) => [document.title, widthOf(document)])).toEqual([
    ['Plan', 2],
    ['Plan', 5],
    ['Other', 5],
  ])
  expect(losses).toEqual([
    'Not imported: “Plan.json” is not a document that this program has exported as JSON.',
  ])
})

test('what is refused of a zip refuses no other document, and is named', async () => {
  const { documents, losses } = await importFile(
    'vault.zip',
    zipOf({ 'empty.md': '', 'notes.md': 'kept', 'notes.json': '{"a":1}', 'other.json': '[]', 'x.docx': 'x' }),
  )
  expect(documents.map(({ title, blocks }) => [title, ...linesIn(blocks)])).toEqual([['notes', 'kept']])
  expect(losses).toEqual([
    'Not imported: “empty.md” is empty.',
    'Not imported: “notes.json” is not a document that this program has exported as JSON.',
    'Not imported: “other.json” is not a document that this program has exported as JSON.',
    'Not imported: “x.docx” could not be read: it is damaged or too large to read.',
  ])
})

test('a zip of nothing that can be read is refused with the first reason, and one of many names twenty', async () => {
  await expect(importFile('a.zip', zipOf({ 'a.md': '' }))).rejects.toThrow('“a.md” is empty.')
  const empty = Object.fromEntries(Array.from({ length: 25 }, (_one, at) => [`${at}.md`, '']))
  const { losses } = await importFile('a.zip', zipOf({ ...empty, 'b.md': 'x' }))
  expect([losses.length, losses.at(-1)]).toEqual([21, '5 more files could not be imported.'])
})

test('a picture that is named often is inflated and stored once', async () => {
  const png = Buffer.concat([pngOf(), Buffer.alloc(1024 * 1024)])
  const { blocks, files } = await importOne(
    'a.zip',
    zipOf({ 'a.md': '![](a.png)\n\n'.repeat(200), 'a.png': png }),
  )
  expect([blocks.length, files.length]).toEqual([200, 1])
})

test('the zip of the export comes back, with its files and without a loss', async () => {
  const body = new Y.Doc()
  const [picture, card] = [createFileId(), createFileId()]
  body.getText('title').insert(0, 'Plan')
  writeBlocks(body.getXmlFragment('default'), [
    { type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] },
    {
      type: 'picture',
      attrs: { file: picture, name: 'a (1)#.png', type: 'image/png', width: 2, height: 3, alt: 'A dot' },
      content: [{ type: 'caption' }],
    },
    {
      type: 'fileCard',
      attrs: { file: card, name: 'b.pdf', type: 'application/pdf', bytes: 5 },
      content: [{ type: 'caption' }],
    },
  ])
  const files = [
    { id: picture, name: 'a (1)#.png', type: 'image/png', bytes: pngOf().length },
    { id: card, name: 'b.pdf', type: 'application/pdf', bytes: 5 },
  ]
  const context = { document: 'd', origin: 'https://docs.example', language: '', author: '', files }
  const before = readExportSource(body, null, context)
  const zip = zipOf(
    Object.fromEntries(
      writeEntries(before, 'zip').map(({ name, parts: [part] }) => [
        `Plan/${name}`,
        typeof part === 'string' ? part : 'file' in part! ? (part.file === picture ? pngOf() : '%PDF-') : '',
      ]),
    ),
  )
  const { documents, losses } = await importFile('Plan.zip', zip)
  expect(losses).toEqual([])
  expect(documents).toHaveLength(1)
  const [{ title, blocks, files: read }] = documents as [(typeof documents)[0]]
  expect(read.map(({ id, name, bytes }) => [id, name, bytes.length])).toEqual(
    files.map(({ id, name, bytes }) => [id, name, bytes]),
  )
  const after = new Y.Doc()
  after.getText('title').insert(0, title)
  writeBlocks(after.getXmlFragment('default'), blocks)
  const json = (doc: Y.Doc) => writeEntries(readExportSource(doc, null, context), 'json')
  expect(json(after)).toEqual(json(body))
})

describe('refused with one sentence', () => {
  test.each<[what: string, zip: () => Uint8Array, sentence: string]>([
    ['nothing in it', () => zipOf({ 'a.bin': 'x' }), 'nothing in it'],
    [
      'many bombs, none too large by itself',
      () => zipOf(Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}.json`, jsonBomb]))),
      'too large once it is unpacked',
    ],
    ['a bomb that says it is small', () => lyingZip(140 * 1024 * 1024), 'too large once it is unpacked'],
    [
      'more files than there may be',
      () => zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`${n}.bin`, '']))),
      'too many files',
    ],
    [
      'more documents than there may be',
      () => zipOf(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`${n}.md`, 'x']))),
      'more than 100 documents',
    ],
    ['no zip', () => Buffer.from('PK\x03\x04 is not enough'), 'could not be read'],
    ['a zip cut in half', () => zipOf({ 'a.md': 'x'.repeat(1_000) }).slice(0, 60), 'could not be read'],
  ])('%s', async (_what, zip, sentence) => {
    await expect(importFile('a.zip', zip())).rejects.toThrow(sentence)
  })

  test.runIf(triesAll)('a bomb', async () => {
    const zip = zipOf({ 'a.md': new Uint8Array(140 * 1024 * 1024) })
    await expect(importFile('a.zip', zip)).rejects.toThrow('too large once it is unpacked')
  })
})

const jsonBomb = Buffer.concat([
  Buffer.from('{"format":"diptych","version":1,"text":{"type":"doc","content":[]},"x":"'),
  Buffer.alloc(16 * 1024 * 1024, 'x'),
  Buffer.from('"}'),
])

/** Both headers say that it inflates to one byte. */
function lyingZip(bytes: number): Uint8Array {
  const zip = Buffer.from(zipSync({ 'a.md': new Uint8Array(bytes) }))
  const central = zip.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'))
  zip.writeUInt32LE(1, 22)
  zip.writeUInt32LE(1, central + 24)
  return zip
}

test('what an export could not write is no document, and another program’s file of that name is one', async () => {
  const json = JSON.stringify({
    format: 'diptych',
    version: 1,
    title: 'Plan',
    text: { type: 'doc', content: [] },
  })
  const left = { 'Not in this zip.txt': 'Plan, files/a.pdf' }
  const own = await importFile(
    'a.zip',
    zipOf({ 'Plan.md': 'x', 'Plan.json': json.replace('{', '{ '), ...left }),
  )
  expect(own.documents.map(({ title }) => title)).toEqual(['Plan'])
  const other = await importFile('a.zip', zipOf({ 'Plan.md': 'x', ...left }))
  expect(other.documents).toHaveLength(2)
})

test('zips deeper than Notion puts them are not opened', async () => {
  const deep = zipOf({ 'c.zip': zipOf({ 'd.zip': zipOf({ 'e.md': 'x' }) }), 'a.md': 'y' })
  const { documents, losses } = await importFile('a.zip', deep)
  expect(documents.map(({ title }) => title)).toEqual(['a'])
  expect(losses).toEqual(['1 file is used in no document and was left out.'])
})

test('names that lead out of the zip are names of files in it', async () => {
  const { documents } = await importFile(
    'a.zip',
    zipOf({ '../../evil.md': '![x](../../../etc/passwd.png)', '/abs/b.md': 'b', 'C:\\c.md': 'c' }),
  )
  expect(documents.map(({ title }) => title)).toEqual(['evil', 'b', 'c'])
  expect(documents[0]!.files).toEqual([])
})

test('any bytes in place of others end with a document or a sentence', async () => {
  const zip = zipOf({ 'a.md': '# A\n\n![x](b.png)\n', 'b.png': pngOf(), 'c.docx': docxOf(wordLine('three')) })
  const change = fc.tuple(fc.nat(zip.length - 1), fc.nat(255))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      const changed = Uint8Array.from(zip)
      for (const [at, byte] of changes) changed[at] = byte
      await importFile('a.zip', changed).catch((error: unknown) => {
        if (!(error instanceof ImportRefused)) expect(error).toBeInstanceOf(Error)
      })
    }),
    { numRuns: 100 },
  )
})
