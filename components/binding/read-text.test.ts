import { ContentMatch, type Node } from '@tiptap/pm/model'
import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import {
  type BlockSketch,
  heading,
  lineBreak,
  paragraph,
  textWith,
} from '@/lib/text/fixtures/text-sketches.ts'
import { TextReader } from './read-text.ts'
import { isVirtual, type Reading } from './reading.ts'
import { pageSchema } from '@/components/editor/schema.ts'

const readingOf = (text: Y.XmlFragment): Reading => new TextReader(pageSchema).read(text)
const read = (text: Y.XmlFragment): Node => readingOf(text).node

/** The letters of text blocks alone. */
const shownLetters = (doc: Node): string => doc.textBetween(0, doc.content.size, '', '')

const item = (...children: BlockSketch[]): BlockSketch => ({ name: 'listItem', children })
const list = (...children: BlockSketch[]): BlockSketch => ({ name: 'bulletList', children })

test.each<[string, BlockSketch[], string]>([
  [
    'an item without its first paragraph',
    [list(item(list(item(paragraph('a')))))],
    'doc(bulletList(listItem(paragraph, bulletList(listItem(paragraph("a"))))))',
  ],
  [
    'an item that begins with a heading',
    [list(item(heading(2, 'a')))],
    'doc(bulletList(listItem(paragraph, heading("a"))))',
  ],
  ['a list without items', [list(), paragraph('a')], 'doc(bulletList(listItem(paragraph)), paragraph("a"))'],
  ['a quote without text', [{ name: 'blockquote' }], 'doc(blockquote(paragraph))'],
])('two edits that meet can leave %s: what is missing is filled in', (_what, blocks, expected) => {
  const reading = readingOf(textWith(...blocks))
  expect(reading.node.toString()).toBe(expected)
  expect(virtualTextblocksIn(reading)).toBe(1)
})

const virtualTextblocksIn = (reading: Reading): number =>
  Number(reading.inline !== null && isVirtual(reading)) +
  reading.children.reduce((sum, child) => sum + virtualTextblocksIn(child), 0)

const rootText = (): Y.XmlFragment => {
  const text = textWith(paragraph('a'))
  text.insert(1, [new Y.XmlText('loose')])
  return text
}

const within = (write: (text: Y.XmlText) => void): Y.XmlFragment => {
  const text = textWith(paragraph('a'))
  write((text.get(0) as Y.XmlElement).get(0) as Y.XmlText)
  return text
}

const nestedParagraph = (): Y.XmlElement => {
  const element = new Y.XmlElement('paragraph')
  element.insert(0, [new Y.XmlText('in')])
  return element
}

const hologram: BlockSketch = { name: 'hologram', children: [{ text: 'of tomorrow' }] }

test.each<[string, Y.XmlFragment, string]>([
  ['an unknown element', textWith(hologram), 'doc(unknownBlock)'],
  [
    'one deep inside',
    textWith({ name: 'blockquote', children: [hologram] }),
    'doc(blockquote(unknownBlock))',
  ],
  ['one in a list', textWith(list(hologram)), 'doc(bulletList(listItem(paragraph, unknownBlock)))'],
  ['one among letters', textWith(paragraph('a', hologram, 'c')), 'doc(paragraph("a", unknownInline, "c"))'],
  [
    'one among code',
    textWith({ name: 'codeBlock', children: [{ text: 'a' }, hologram] }),
    'doc(unknownBlock)',
  ],
  ['an element with a name of every object', textWith({ name: 'constructor' }), 'doc(unknownBlock)'],
  ['an element with the name of a stand-in', textWith({ name: 'unknownBlock' }), 'doc(unknownBlock)'],
  ['letters beside blocks', rootText(), 'doc(paragraph("a"), paragraph("loose"))'],
  [
    'items without a list',
    textWith(item(paragraph('a')), item(paragraph('b'))),
    'doc(bulletList(listItem(paragraph("a")), listItem(paragraph("b"))))',
  ],
  ['a paragraph in a list', textWith(list(paragraph('a'))), 'doc(bulletList(listItem(paragraph("a"))))'],
  ['a line break beside blocks', textWith(lineBreak), 'doc(paragraph(hardBreak))'],
  [
    'a paragraph within a paragraph',
    textWith(paragraph('a', paragraph('b'))),
    'doc(paragraph("a", unknownInline))',
  ],
  [
    'a rule with letters in it',
    textWith({ name: 'horizontalRule', children: [{ text: 'a' }] }),
    'doc(unknownBlock)',
  ],
  [
    'a block within letters',
    within((text) => text.insertEmbed(1, nestedParagraph())),
    'doc(paragraph("a", unknownInline))',
  ],
  [
    'an object among letters',
    within((text) => text.insertEmbed(1, { image: 'x' })),
    'doc(paragraph("a", unknownInline))',
  ],
  [
    'an unknown mark',
    textWith(paragraph({ text: 'a', marks: { glow: {} } })),
    'doc(paragraph(unknownMark("a")))',
  ],
  [
    'a mark where none may be',
    textWith({ name: 'codeBlock', children: [{ text: 'a', marks: { bold: {} } }] }),
    'doc(codeBlock("a"))',
  ],
  [
    'an attribute that is an object',
    textWith({ name: 'heading', attributes: { level: { a: 1 } }, children: [{ text: 'a' }] }),
    'doc(heading("a"))',
  ],
])('%s is shown in place', (_what, text, expected) => {
  const doc = read(text)
  doc.check()
  expect(doc.toString()).toBe(expected)
})

test('what is not known is described, and its letters are shown', () => {
  const text = textWith({ ...hologram, attributes: { depth: 3 } })
  expect(read(text).firstChild!.attrs).toMatchObject({
    text: 'of tomorrow',
    content: '{"name":"hologram","attributes":{"depth":3},"children":[{"text":[{"insert":"of tomorrow"}]}]}',
  })
})

test('unknown attributes and marks are carried along, and a mark stands on a node that is no letter', () => {
  const bold = { 'mark:bold': {}, glow: [1] }
  const text = textWith({
    ...paragraph('a', { ...lineBreak, attributes: bold }),
    attributes: { glow: { by: 1 } },
  })
  const [, brk] = read(text).firstChild!.children
  expect(read(text).firstChild!.attrs).toMatchObject({ unknownAttributes: '{"glow":{"by":1}}' })
  expect(brk!.attrs).toEqual({ unknownAttributes: '{"glow":[1]}' })
  expect(brk!.marks.map(({ type }) => type.name)).toEqual(['bold'])
})

test('null is read as the default, which a line that is moved keeps: an element stores no null', () => {
  const text = textWith({ name: 'heading', attributes: { level: null }, children: [{ text: 'a' }] })
  expect(read(text).firstChild!.attrs).toMatchObject({ level: 1, unknownAttributes: null })
})

test('of two marks that exclude each other one is shown, the same in every window, and wrong attributes of a mark are none', () => {
  const text = textWith(paragraph('abc'))
  const [letters] = (text.get(0) as Y.XmlElement).toArray() as [Y.XmlText]
  letters.format(0, 1, { subscript: {}, superscript: {} })
  letters.format(1, 1, { highlight: { color: 'red; position: fixed' } })
  letters.format(2, 1, { highlight: { color: 'green' } })
  const shown = read(text).firstChild!.children.map(({ marks }) =>
    marks.map(({ type, attrs }) => [type.name, attrs['color']]),
  )
  expect(shown).toEqual([[['superscript', undefined]], [['highlight', null]], [['highlight', 'green']]])
})

test('hooks, maps, arrays and bare values are shown as parts that are not known', () => {
  const text = textWith(paragraph('a'))
  text.insert(1, [new Y.XmlHook('hook') as unknown as Y.XmlText])
  text.insert(2, [new Y.Map() as unknown as Y.XmlText, new Y.Array() as unknown as Y.XmlText])
  expect(read(text).toString()).toBe('doc(paragraph("a"), unknownBlock, unknownBlock, unknownBlock)')
})

test('nesting as deep as the server takes is read, and deeper nesting is shown by its letters', () => {
  const nested = (depth: number): Y.XmlFragment => {
    const text = new Y.Doc().getXmlFragment('default')
    let parent: Y.XmlFragment = text
    text.doc!.transact(() => {
      for (let level = 0; level < depth; level++) {
        const quote = new Y.XmlElement(level === depth - 1 ? 'paragraph' : 'blockquote')
        parent.insert(0, [quote])
        parent = quote
      }
      parent.insert(0, [new Y.XmlText('a')])
    })
    return text
  }
  const doc = read(nested(98))
  doc.check()
  expect(shownLetters(doc)).toBe('a')
  let shown = ''
  read(nested(10_000)).descendants(({ attrs }) => void (shown += attrs.text ?? ''))
  expect(shown).toBe('a')
})

test('a reading is kept until something within it changes', () => {
  const text = textWith(paragraph('a'), list(item(paragraph('b')), item(paragraph('c'))))
  const reader = new TextReader(pageSchema)
  const before = reader.read(text)
  const changed = ((text.get(1) as Y.XmlElement).get(1) as Y.XmlElement).get(0) as Y.XmlElement
  ;(changed.get(0) as Y.XmlText).insert(0, 'x')
  reader.forget(changed.get(0))
  const after = reader.read(text)
  expect(after.children[0]).toBe(before.children[0])
  expect(after.children[1]).not.toBe(before.children[1])
  expect(after.children[1]!.children[0]).toBe(before.children[1]!.children[0])
})

/** How often it asks the schema what may follow. */
function countMatches(text: Y.XmlFragment): number {
  const matchType = vi.spyOn(ContentMatch.prototype, 'matchType')
  try {
    read(text)
    return matchType.mock.calls.length
  } finally {
    matchType.mockRestore()
  }
}

test('four times as many items without a list take about four times the work', () => {
  const [few, many] = [250, 1_000].map((count) =>
    countMatches(textWith(...Array.from({ length: count }, () => item(paragraph('a'))))),
  )
  expect(many! / few!).toBeLessThan(6)
})
