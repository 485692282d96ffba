/** Files of other programs become documents of the schema; what these cannot hold is said. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { writeBlocks } from '../../server/api/write-blocks.ts'
import type { JsonNode } from '../blocks/json-node.ts'
import { startThread } from '../comments/edit-threads.ts'
import { threadAnchorOf } from '../comments/thread-anchor.ts'
import { anyDocument } from '../export/fixtures/random-documents.ts'
import { readExportSource } from '../export/export-source.ts'
import { writeJson } from '../export/write-json.ts'
import { linesOf } from '../text/lines.ts'
import { treeOf } from '../text/tree.ts'
import { lettersOfJson } from './json-letters.ts'
import { readImport } from './read-import.ts'
import { writeThreads } from './write-threads.ts'

const importBytes = (name: string, bytes: Uint8Array, type = '') =>
  readImport({ name, type, bytes: Uint8Array.from(bytes) })

async function importText(name: string, text: string, type = '') {
  const { documents, losses } = await importBytes(name, Buffer.from(text), type)
  return { ...documents[0]!, losses }
}

const linesIn = (blocks: readonly JsonNode[]): string[] => blocks.map(lettersOfJson)

const context = { document: 'd', origin: 'https://docs.example', language: '', author: '', files: [] }

function docOf(blocks: readonly JsonNode[]): Y.Doc {
  const doc = new Y.Doc()
  writeBlocks(doc.getXmlFragment('default'), blocks)
  return doc
}

describe('Markdown', () => {
  test('becomes blocks, and the heading that it begins with the title', async () => {
    const { title, blocks, losses } = await importText(
      'notes.md',
      '# Plan\n\nHello **you**\n\n- one\n- two\n',
    )
    expect(title).toBe('Plan')
    expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'bulletList'])
    expect(losses).toEqual([])
  })

  test('without such a heading has the title of its file', async () => {
    expect(await importText('a/My  notes.v2.md', 'Hello\n\n# Plan\n')).toMatchObject({ title: 'My notes.v2' })
  })

  test('keeps its properties as YAML, and says which images it has lost', async () => {
    const { blocks, losses } = await importText(
      'notes.md',
      '---\ntags:\n- a\n---\nHello ![A cat](https://example.org/cat.png)\n',
    )
    expect(blocks[0]).toMatchObject({ type: 'codeBlock', attrs: { language: 'yaml' } })
    expect(linesIn(blocks)).toEqual(['tags:\n- a', 'Hello A cat'])
    expect(losses).toEqual(['1 image was on the web: a link to it is kept.'])
  })

  test.each([
    ['---\ntitle: Plan\n---\nHello\n', 'Plan', ['Hello']],
    ['---\ntitle: "A \\"B\\""\ndate: 1\n---\n# Other\n', 'A "B"', ['date: 1', 'Other']],
    ["---\ntitle: 'It''s'\n---\n# It's\n\nHello\n", "It's", ['Hello']],
    ['---\ntitle: >\n  Long\n---\n# Plan\n', 'Plan', ['title: >\n  Long']],
    ['---\nNote: pay the rent\n---\n', 'notes', ['Note: pay the rent']],
    ['---\n\nNote: pay the rent\n\n---\n', 'notes', ['', 'Note: pay the rent', '']],
    ['---\nA: b\nand prose\n---\n', 'notes', ['', 'A: b and prose']],
  ])('%j keeps each line of what stands between two lines', async (text, title, lines) => {
    const read = await importText('notes.md', text)
    expect([read.title, linesIn(read.blocks)]).toEqual([title, lines])
  })

  test('of lines that may be two kinds of property is read at once', async () => {
    const { blocks } = await importText('a.md', `---\na:\n${'-a:\n'.repeat(29)}b\n`)
    expect(linesIn(blocks).join('')).toContain('-a:')
  })

  test('finds what an image or a link names by a definition', async () => {
    const { blocks, losses } = await importText(
      'notes.md',
      '![A cat][cat] ![A dog][dog] [more][m]\n\n[cat]: cat.png\n[dog]: https://example.org/dog.png\n[m]: m.md\n',
    )
    expect(linesIn(blocks).join('')).toMatch(/ more$/)
    expect(losses).toEqual([
      '1 image was on the web: a link to it is kept.',
      '1 image could not be imported.',
      '1 link led to another file: its text is kept.',
    ])
  })

  test('has no scheme but those allowed', async () => {
    const { blocks } = await importText('x.md', '[a](javascript:alert(1)) <a href="data:text/html,x">b</a>')
    expect(JSON.stringify(blocks)).not.toMatch(/"href":"(?:javascript|data)/)
  })
})

test('plain text is a paragraph a line, and an empty one where a line is empty', async () => {
  const { title, blocks } = await importText('notes.txt', 'One\r\n\r\nTwo *three*\n')
  expect(title).toBe('notes')
  expect(linesIn(blocks)).toEqual(['One', '', 'Two *three*'])
})

describe('encodings', () => {
  const text = 'Größe, naïve\nZwei\n'
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(text, 'utf16le')],
    ['big-endian UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['big-endian UTF-16 without a mark', Buffer.from(text, 'utf16le').swap16()],
    ['Windows-1252', Buffer.from(text, 'latin1')],
  ])('%s', async (_name, bytes) => {
    const { documents } = await importBytes('a.txt', bytes)
    expect(linesIn(documents[0]!.blocks)).toEqual(['Größe, naïve', 'Zwei'])
  })

  test.each([
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'could not be read as text'],
    ['nothing', Buffer.alloc(0), 'is empty'],
    ['spaces', Buffer.from('\uFEFF \n'), 'is empty'],
  ])('what is %s is refused', async (_what, bytes, sentence) => {
    await expect(importBytes('a.txt', bytes)).rejects.toThrow(sentence)
  })
})

describe('values', () => {
  test.each([
    ['commas', 'Name,Age\n"Wren, Ada",36\n'],
    ['semicolons', 'Name;Age\r\n"Wren, Ada";36\r\n'],
    ['tabs', 'Name\tAge\nWren, Ada\t36\n'],
  ])('between %s become a table', async (_name, text) => {
    const { blocks, losses } = await importText('people.csv', text)
    expect(blocks).toHaveLength(1)
    expect(blocks[0]).toMatchObject({ type: 'table', attrs: { headerRow: true } })
    const cells = blocks[0]!.content!.map(({ content }) => linesIn(content!))
    expect(cells).toEqual([
      ['Name', 'Age'],
      ['Wren, Ada', '36'],
    ])
    expect(losses).toEqual([])
  })

  test('in rows of different lengths are filled up', async () => {
    const { blocks } = await importText('a.csv', 'a,b,c\n1\n"x\ny",2\n')
    expect(blocks[0]!.content!.map(({ content }) => content!.length)).toEqual([3, 3, 3])
    expect(blocks[0]!.content![2]!.content![0]!.content).toHaveLength(2)
  })

  test('of more cells than a table has become lines, and a sentence says so', async () => {
    const { blocks, losses } = await importText('a.csv', `a,b\n${'1,2\n'.repeat(5_000)}`)
    expect(blocks).toHaveLength(5_001)
    expect(lettersOfJson(blocks[1]!)).toBe('1 | 2')
    expect(losses).toEqual(['1 table was too large: its rows are lines.'])
  })
})

test.each([
  ['lines of values', 'a.csv', `a,b${'\n'.repeat(95_000)}x`],
  ['a page with a type that does not end', 'a.html', `<p>x</p>${'<!doctype '.repeat(90_000)}`],
])('%s are read in time that grows with them', async (_what, name, text) => {
  expect((await importText(name, text)).blocks.length).toBeGreaterThan(0)
})

describe('JSON of the export', () => {
  test('comes back as it was', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const before = docOf((document.toJSON() as JsonNode).content!)
        const json = writeJson(readExportSource(before, null, context))
        const { blocks } = await importText('a.json', json)
        expect(writeJson(readExportSource(docOf(blocks), null, context))).toBe(json)
      }),
      { numRuns: 200 },
    )
  })

  test('with its title and its comments at their places', async () => {
    const [body, comments] = [
      docOf([{ type: 'paragraph', content: [{ type: 'text', text: 'Hello there' }] }]),
      new Y.Doc(),
    ]
    body.getText('title').insert(0, 'Plan')
    const lines = linesOf(treeOf(body.getXmlFragment('default')))
    const range = { from: { line: 0, offset: 6 }, to: { line: 0, offset: 11 } }
    startThread(comments, threadAnchorOf(lines, range)!, { id: 'user:ada', name: 'Ada' }, 'Where?')
    const json = writeJson(readExportSource(body, comments, context))
    const { title, blocks, threads, losses } = await importText('a.json', json)
    expect([title, losses]).toEqual(['Plan', []])
    const [newBody, newComments] = [docOf(blocks), new Y.Doc()]
    writeThreads(newComments, newBody, threads)
    const [found] = readExportSource(newBody, newComments, context).threads
    expect(found).toMatchObject({
      range,
      thread: { anchor: { quote: 'there' }, messages: [{ author: { name: 'Ada' }, text: 'Where?' }] },
    })
    expect(found!.thread.messages[0]!.author.id).not.toBe('user:ada')
  })

  test.each([
    ['other JSON', '{"a":1}', 'is not a document'],
    ['a list', '[]', 'is not a document'],
    ['no JSON', '{', 'is not a document'],
    ['a later version', '{"format":"diptych","version":2}', 'newer version'],
  ])('but not %s', async (_what, text, sentence) => {
    await expect(importText('a.json', text)).rejects.toThrow(sentence)
  })

  const importContent = (...content: unknown[]) =>
    importText('a.json', JSON.stringify({ format: 'diptych', version: 1, text: { type: 'doc', content } }))

  test('keeps the letters of what the schema does not know, and says so', async () => {
    const letters = { type: 'text', text: 'kept', marks: [{ type: 'blink' }] }
    const { blocks, losses } = await importContent(
      { type: 'carousel', content: [{ type: 'paragraph', content: [letters] }] },
      { type: 'carousel', content: [letters] },
      { type: 'tableCell', content: [{ type: 'paragraph', content: [letters] }] },
      { type: '__proto__' },
      { type: 'doc' },
      null,
      7,
    )
    expect(linesIn(blocks).filter((line) => line !== '')).toEqual(['kept', 'kept', 'kept'])
    expect(blocks.every(({ type }) => type === 'paragraph')).toBe(true)
    expect(losses[0]).toMatch(/^\d+ parts were of a kind/)
  })

  test('takes no attribute that is neither letters, a number nor a truth value', async () => {
    const { blocks, losses } = await importContent(
      { type: 'heading', attrs: { level: { a: 1 }, onclick: 'x' } },
      { type: 'codeBlock', attrs: { language: 'x'.repeat(30_000) } },
    )
    expect(blocks).toMatchObject([{ attrs: { level: 1 } }, { attrs: { language: null } }])
    expect(JSON.stringify(blocks)).not.toContain('onclick')
    expect(losses).toEqual(['1 setting of blocks was too long and left out.'])
  })

  test('counts comments of a thread that cannot be read', async () => {
    const message = { author: 'Bo', at: '2026-11-28T10:00:00.000Z', text: 'Why?' }
    const comments = [{ messages: [message, { ...message, text: '' }, {}] }, { messages: [] }]
    const json = { format: 'diptych', version: 1, text: { type: 'doc', content: [] }, comments }
    const { threads, losses } = await importText('a.json', JSON.stringify(json))
    expect(threads.map(({ messages }) => messages.length)).toEqual([1])
    expect(losses).toEqual(['3 comments could not be imported.'])
  })

  test('names pictures whose bytes it does not have', async () => {
    const attrs = { file: 'V1StGXR8Z5jdHi6BmyT3aa', type: 'image/png' }
    const { losses } = await importContent({ type: 'picture', attrs, content: [{ type: 'caption' }] })
    expect(losses).toEqual(['1 picture or file was not in the import.'])
  })

  test('is no deeper than a document may be', async () => {
    const nested = (levels: number): unknown =>
      levels === 0
        ? { type: 'paragraph', content: [{ type: 'text', text: 'deep' }] }
        : { type: 'blockquote', content: [nested(levels - 1)] }
    const { blocks, losses } = await importContent(nested(300))
    const depthOf = ({ content = [] }: JsonNode): number => 1 + Math.max(0, ...content.map(depthOf))
    expect(depthOf(blocks[0]!)).toBeLessThan(50)
    expect(linesIn(blocks)).toEqual(['deep'])
    expect(losses).toEqual(['1 block was nested too deep: the text is kept.'])
  })

  test('of more parts than a document has is refused', async () => {
    const many = Array.from({ length: 300_001 }, () => ({ type: 'paragraph' }))
    await expect(importContent(...many)).rejects.toThrow('too many parts')
  })
})

test.each([
  ['a.exe', ''],
  ['a', 'application/x-msdownload'],
  ['constructor', ''],
  ['a.__proto__', '__proto__'],
])('%s is refused', async (name, type) => {
  await expect(importText(name, 'x', type)).rejects.toThrow('none of the formats')
})

test('a file without an ending is what its type says', async () => {
  expect(await importText('notes', '# Plan', 'text/markdown')).toMatchObject({ title: 'Plan' })
})

test('a text that is too long is refused before it is parsed', async () => {
  await expect(importText('a.md', 'x'.repeat(1_000_001))).rejects.toThrow('is too long')
})

test.each([
  ['brackets in one paragraph', '[a]('.repeat(4_001), 'too many parts'],
  ['lists in one line', `${'- '.repeat(201)}x`, 'nested too deep'],
])('Markdown of more %s than a parser is quick with is refused', async (_what, text, sentence) => {
  await expect(importText('a.md', text)).rejects.toThrow(sentence)
})

test('a rule of many signs, and brackets in many paragraphs, are read', async () => {
  const { blocks } = await importText(
    'a.md',
    `${'- '.repeat(300)}\n\n${'[a](https://a.example)\n\n'.repeat(5_000)}`,
  )
  expect(blocks).toHaveLength(5_001)
})

describe('a part that does not fit', () => {
  const jsonOf = (...content: readonly unknown[]): string =>
    JSON.stringify({ format: 'diptych', version: 1, title: 'A', text: { type: 'doc', content } })
  const cell = (...content: readonly unknown[]) => ({ type: 'tableCell', content })
  const row = (...content: readonly unknown[]) => ({ type: 'tableRow', content })
  const lineOf = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })

  test('a cell of a column that was added, in which nobody has written, is an empty cell', async () => {
    const [body, table, tableRow, stored] = [
      new Y.Doc(),
      new Y.XmlElement('table'),
      new Y.XmlElement('tableRow'),
      new Y.XmlElement('tableCell'),
    ]
    const paragraph = new Y.XmlElement('paragraph')
    body.getXmlFragment('default').insert(0, [table])
    table.setAttribute('col:one', 'V')
    table.setAttribute('col:two', 'W')
    table.insert(0, [tableRow])
    tableRow.insert(0, [stored])
    stored.setAttribute('col', 'one')
    stored.insert(0, [paragraph])
    paragraph.insert(0, [new Y.XmlText('words')])
    const { blocks, losses } = await importText('a.json', writeJson(readExportSource(body, null, context)))
    expect(losses).toEqual([])
    const [first] = blocks
    expect(first).toMatchObject({
      type: 'table',
      content: [{ content: [cell(lineOf('words')), cell({ type: 'paragraph' })] }],
    })
  })

  test('only the smallest part becomes its letters', async () => {
    const misfit = cell({ type: 'tableRow', content: [cell(lineOf('odd'))] }, lineOf('one'))
    const { blocks, losses } = await importText(
      'a.json',
      jsonOf({ type: 'table', content: [row(misfit, cell(lineOf('two')))] }),
    )
    expect(losses).not.toEqual([])
    expect(blocks).toMatchObject([
      { type: 'table', content: [{ content: [cell(lineOf('oddone')), cell(lineOf('two'))] }] },
    ])
  })
})
