import fc from 'fast-check'
import type { Node } from '@tiptap/pm/model'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import {
  type BlockSketch,
  heading,
  lineBreak,
  paragraph,
  textWith,
} from '@/lib/text/fixtures/text-sketches.ts'
import { lettersOf, randomTexts } from '@/lib/text/fixtures/random-text.ts'
import { textSchema } from '../schema-extensions.ts'
import { fitsSchema, isStandIn, isVirtual, TextReader } from './text-reader.ts'

const read = (text: Y.XmlFragment): Node => new TextReader(textSchema).readText(text)

/** Letters alone: a break or an object within a line is none. */
const shownLetters = (doc: Node): string => doc.textBetween(0, doc.content.size, '', '')

test('[W11] whatever a text holds, reading it gives a document that fits the schema, keeps all letters, and writes nothing', () => {
  fc.assert(
    fc.property(randomTexts, (text) => {
      const before = Y.encodeStateAsUpdate(text.doc!)
      const doc = read(text)
      doc.check()
      const withoutObjects = (letters: string) => letters.replaceAll(/[\uFFFC\n]/g, '')
      expect(withoutObjects(shownLetters(doc))).toBe(withoutObjects(lettersOf(text)))
      expect(read(text).eq(doc)).toBe(true)
      expect(Y.encodeStateAsUpdate(text.doc!)).toEqual(before)
    }),
    { numRuns: 300 },
  )
})

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
])(
  'two edits that meet can leave %s: what is missing is filled in, and the text can be edited',
  (_what, blocks, expected) => {
    const text = textWith(...blocks)
    const doc = read(text)
    expect(doc.toString()).toBe(expected)
    expect(fitsSchema(text, textSchema)).toBe(true)
    const isFilledIn: boolean[] = []
    doc.descendants((node) => void (node.isTextblock && isFilledIn.push(isVirtual(node))))
    expect(isFilledIn.filter(Boolean)).toHaveLength(1)
  },
)

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

test.each<[string, Y.XmlFragment, string]>([
  [
    'an unknown element',
    textWith({ name: 'hologram', children: [{ text: 'of tomorrow' }] }),
    'doc(blockquote(paragraph("of tomorrow")))',
  ],
  ['one with nothing in it', textWith({ name: 'hologram' }), 'doc(blockquote(paragraph))'],
  [
    'one deep inside',
    textWith({ name: 'blockquote', children: [{ name: 'hologram', children: [heading(1, 'a')] }] }),
    'doc(blockquote(blockquote(heading("a"))))',
  ],
  [
    'one among letters',
    textWith(paragraph('a', { name: 'hologram', children: [{ text: 'b' }] }, 'c')),
    'doc(paragraph("abc"))',
  ],
  ['an element with a name of every object', textWith({ name: 'constructor' }), 'doc(blockquote(paragraph))'],
  ['letters beside blocks', rootText(), 'doc(paragraph("a"), paragraph("loose"))'],
  ['an item without a list', textWith(item(paragraph('a'))), 'doc(bulletList(listItem(paragraph("a"))))'],
  ['a paragraph in a list', textWith(list(paragraph('a'))), 'doc(bulletList(listItem(paragraph("a"))))'],
  ['a line break beside blocks', textWith(lineBreak), 'doc(paragraph(hardBreak))'],
  ['a paragraph within a paragraph', textWith(paragraph('a', paragraph('b'))), 'doc(paragraph("ab"))'],
  [
    'a block within letters',
    within((text) => text.insertEmbed(1, nestedParagraph())),
    'doc(paragraph("ain"))',
  ],
  [
    'an object among letters',
    within((text) => text.insertEmbed(1, { image: 'x' })),
    'doc(paragraph("a\uFFFC"))',
  ],
  ['an unknown mark', textWith(paragraph({ text: 'a', marks: { glow: {} } })), 'doc(paragraph("a"))'],
  [
    'a mark where none may be',
    textWith({ name: 'codeBlock', children: [{ text: 'a', marks: { bold: {} } }] }),
    'doc(codeBlock("a"))',
  ],
  [
    'an unknown attribute',
    textWith({ name: 'paragraph', attributes: { glow: 1 }, children: [{ text: 'a' }] }),
    'doc(paragraph("a"))',
  ],
  [
    'an attribute that is an object',
    textWith({ name: 'heading', attributes: { level: { a: 1 } }, children: [{ text: 'a' }] }),
    'doc(heading("a"))',
  ],
])('%s is shown in place, and the text can only be read', (_what, text, expected) => {
  expect(read(text).toString()).toBe(expected)
  expect(fitsSchema(text, textSchema)).toBe(false)
})

test('hooks, maps, arrays and bare values are shown as parts that are not known', () => {
  const text = textWith(paragraph('a'))
  text.insert(1, [new Y.XmlHook('hook') as unknown as Y.XmlText])
  text.insert(2, [new Y.Map() as unknown as Y.XmlText, new Y.Array() as unknown as Y.XmlText])
  const doc = read(text)
  expect(doc.toString()).toBe(
    'doc(paragraph("a"), blockquote(paragraph), blockquote(paragraph), blockquote(paragraph))',
  )
  expect(doc.children.map(isStandIn)).toEqual([false, true, true, true])
})

test('what the editor writes fits, and is read as the binding reads it', () => {
  const text = textWith(
    paragraph(
      'a',
      { text: 'b', marks: { bold: {}, 'link--aB3+/=xy': { href: 'https://a.example' } } },
      lineBreak,
    ),
    {
      name: 'taskList',
      children: [{ name: 'taskItem', attributes: { checked: true }, children: [paragraph('t')] }],
    },
    { name: 'horizontalRule' },
  )
  expect(fitsSchema(text, textSchema)).toBe(true)
  const doc = read(text)
  doc.check()
  expect(doc.toString()).toBe(
    'doc(paragraph("a", link(bold("b")), hardBreak), taskList(taskItem(paragraph("t"))), horizontalRule)',
  )
  expect(doc.child(1).child(0).attrs.checked).toBe(true)
})

test('nesting as deep as the server takes is read', () => {
  let block: BlockSketch = paragraph('a')
  for (let depth = 0; depth < 98; depth++)
    block = { name: depth % 2 ? 'blockquote' : 'hologram', children: [block] }
  const doc = read(textWith(block))
  doc.check()
  expect(shownLetters(doc)).toBe('a')
})
