/** Whatever a program has written: it opens, what it says is shown, and the text around it can be edited. Counted, not timed. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { randomTexts } from '../../../lib/text/fixtures/random-text.ts'
import type { HeadlessEditor } from './editor-subject.ts'
import { countStoredLetters, missingLetters } from './letters.ts'
import { testedSubject } from './subject.ts'

const LEVELS = 10_000
const MILLION = 1_000_000
/** Deeper blocks are shown as one part: a browser's layout takes a stack frame and more for each. */
const MAX_SHOWN_DEPTH = 130
/** In UTF-16 units of all that is laid out or carried along, where nothing but a value of a million is bad. */
const MAX_SHOWN_SIZE = 200_000

const letter = '一'
const own = '丁'

type Build = (text: Y.XmlFragment) => void

const nested =
  (...names: readonly string[]): Build =>
  (text) => {
    let parent: Y.XmlFragment = text
    for (let level = 0; level < LEVELS; level++) {
      const element = new Y.XmlElement(names[level % names.length])
      parent.insert(0, [element])
      parent = element
    }
    parent.insert(0, [new Y.XmlText(letter)])
  }

const nestedTexts: Build = (text) => {
  let parent = new Y.XmlText()
  text.insert(0, [parent])
  for (let level = 0; level < LEVELS / 10; level++) {
    const inner = new Y.XmlText()
    parent.insertEmbed(0, inner)
    parent = inner
  }
  parent.insert(0, letter)
}

const withAttribute =
  (name: string, attribute: string, value: unknown): Build =>
  (text) => {
    const element = new Y.XmlElement(name)
    text.insert(0, [element])
    element.setAttribute(attribute, value as string)
    element.insert(0, [new Y.XmlText(letter)])
  }

const withMark =
  (name: string, value: unknown): Build =>
  (text) => {
    const element = new Y.XmlElement('paragraph')
    text.insert(0, [element])
    const line = new Y.XmlText()
    element.insert(0, [line])
    line.insert(0, letter, { [name]: value as object })
  }

const many =
  (name: string): Build =>
  (text) => {
    text.insert(
      0,
      Array.from({ length: LEVELS }, () => new Y.XmlElement(name)),
    )
    text.insert(0, [new Y.XmlText(letter)])
  }

const manyMarks: Build = (text) => {
  const marks = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`glow${index}`, true]))
  const element = new Y.XmlElement('paragraph')
  text.insert(0, [element])
  const line = new Y.XmlText()
  element.insert(0, [line])
  line.insert(0, letter, marks)
}

const manyAttributes: Build = (text) => {
  const element = new Y.XmlElement('paragraph')
  text.insert(0, [element])
  for (let index = 0; index < LEVELS; index++) element.setAttribute(`glow${index}`, 'x'.repeat(100))
  element.insert(0, [new Y.XmlText(letter)])
}

/** JSON within JSON. */
function nestedValue(levels: number): object {
  let value: object = {}
  for (let level = 0; level < levels; level++) value = { value }
  return value
}

const longValue = 'x'.repeat(MILLION)
const oddValues: readonly unknown[] = [null, true, -1, 1e308, NaN, '7', '', [], { a: 1 }, new Uint8Array(8)]
const knownAttributes = [
  ['heading', 'level'],
  ['codeBlock', 'language'],
  ['orderedList', 'start'],
  ['taskItem', 'checked'],
  ['paragraph', 'glow'],
] as const

const cases: readonly (readonly [what: string, build: Build])[] = [
  ['10,000 quotes in each other', nested('blockquote')],
  ['10,000 lists and items in each other', nested('bulletList', 'listItem')],
  ['10,000 paragraphs in each other', nested('paragraph')],
  ['10,000 unknown blocks in each other', nested('hologram')],
  ['10,000 known and unknown blocks in turn', nested('blockquote', 'hologram')],
  ['texts in each other', nestedTexts],
  ['10,000 lists without items', many('bulletList')],
  ['10,000 unknown blocks', many('hologram')],
  ['a thousand unknown marks on a letter', manyMarks],
  ['10,000 unknown attributes', manyAttributes],
  ['an unknown mark of a million letters', withMark('glow', longValue)],
  ['a link of a million letters', withMark('link', { href: longValue })],
  ['a link that is no address', withMark('link', { href: { a: [longValue] } })],
  ['a value of 1,000 levels', withAttribute('paragraph', 'glow', nestedValue(1_000))],
  ...knownAttributes.map(
    ([name, attribute]) =>
      [
        `${name} with a ${attribute} of a million letters`,
        withAttribute(name, attribute, longValue),
      ] as const,
  ),
  ...knownAttributes.flatMap(([name, attribute]) =>
    oddValues.map(
      (value) =>
        [
          `${name} with ${attribute} ${value?.constructor.name} ${String(value)}`,
          withAttribute(name, attribute, value),
        ] as const,
    ),
  ),
  ...['constructor', '__proto__', 'toString', 'doc', 'text', '', 'unknownBlock'].map(
    (name) => [`an element "${name}"`, nestedOnce(name)] as const,
  ),
]

function nestedOnce(name: string): Build {
  return (text) => {
    const element = new Y.XmlElement(name)
    text.insert(0, [element])
    element.insert(0, [new Y.XmlText(letter)])
  }
}

function openCounted(doc: Y.Doc, mayWrite = true): { editor: HeadlessEditor; writes: () => number } {
  let writes = 0
  doc.on('update', () => void (writes += 1))
  const editor = testedSubject.openEditor(doc, mayWrite)
  return { editor, writes: () => writes }
}

function copyOf(doc: Y.Doc): Y.Doc {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  return copy
}

/** How deep the shown document is, and how much it holds in letters and attributes. */
function measure({ state: { doc } }: HeadlessEditor) {
  let [depth, size, shown] = [0, 0, '']
  const visit = (node: typeof doc, level: number): void => {
    depth = Math.max(depth, level)
    size += JSON.stringify([node.text, node.attrs, node.marks]).length
    shown += node.text ?? (testedSubject.isUnknown(node) ? JSON.stringify(node.attrs) : '')
    node.forEach((child) => visit(child, level + 1))
  }
  visit(doc, 0)
  return { depth, size, shown }
}

/** Somebody writes a paragraph after all that is there. */
function writeBelow({ state, dispatch }: HeadlessEditor): void {
  const { schema, doc, tr } = state
  dispatch(tr.insert(doc.content.size, schema.nodes.paragraph!.create(null, schema.text(own))))
}

/** Checks that the document opens without a write, is the same everywhere, and can be written in. */
function checkOpens(doc: Y.Doc): HeadlessEditor {
  const before = countStoredLetters(doc)
  const { editor, writes } = openCounted(doc)
  editor.state.doc.check()
  expect(writes()).toBe(0)
  writeBelow(editor)
  expect(writes()).toBe(1)
  expect(missingLetters(before, countStoredLetters(doc))).toEqual([])
  expect(countStoredLetters(doc).get(own)).toBe(1)
  const viewer = openCounted(copyOf(doc), false)
  expect(viewer.writes()).toBe(0)
  expect(viewer.editor.state.doc.eq(editor.state.doc)).toBe(true)
  editor.undo()
  expect(countStoredLetters(doc).get(own)).toBeUndefined()
  return editor
}

test.each(cases)('%s: it opens, its text is shown, and it can be edited', (_what, build) => {
  const doc = new Y.Doc()
  doc.transact(() => build(doc.getXmlFragment('default')))
  const editor = checkOpens(doc)
  const { depth, size, shown } = measure(editor)
  expect(depth).toBeLessThan(MAX_SHOWN_DEPTH)
  expect(size).toBeLessThan(MAX_SHOWN_SIZE + 300 * editor.state.doc.childCount)
  expect(shown).toContain(letter)
})

test('whatever tree a program writes opens, is shown as what it is, and can be edited', () => {
  fc.assert(
    fc.property(randomTexts, (text) => void checkOpens(text.doc!)),
    { numRuns: 200 },
  )
})

test('a letter written at the end of 10,000 levels arrives, and so does one that is deleted there', () => {
  const doc = new Y.Doc()
  doc.transact(() => nested('blockquote')(doc.getXmlFragment('default')))
  const { editor } = openCounted(doc)
  const other = copyOf(doc)
  let innermost: Y.XmlFragment = other.getXmlFragment('default')
  while (innermost.get(0) instanceof Y.XmlElement) innermost = innermost.get(0) as Y.XmlElement
  ;(innermost.get(0) as unknown as Y.XmlText).insert(1, own)
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other, Y.encodeStateVector(doc)))
  expect(measure(editor).shown).toContain(own)
  innermost.delete(0, 1)
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other, Y.encodeStateVector(doc)))
  expect(measure(editor).shown).not.toContain(own)
})
