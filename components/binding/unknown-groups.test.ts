/** Many unknown parts in a row are few nodes, and each node is edited as its parts. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { type BlockSketch, paragraph, sketchBlocks, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { createHeadlessEditor, type HeadlessEditor } from './fixtures/headless-editor.ts'
import { absolutePositionOf, relativePositionOf } from './positions.ts'
import { TextReader } from './read-text.ts'
import { pageSchema } from '@/components/editor/schema.ts'

const hologram = (letters = ''): BlockSketch => ({
  name: 'hologram',
  children: letters ? [{ text: letters }] : [],
})
const holograms = (count: number): BlockSketch[] => Array.from({ length: count }, () => hologram())
const newHologram = (): Y.XmlElement => new Y.XmlElement('hologram')

const countsOf = ({ state }: HeadlessEditor): number[] => state.doc.children.map(({ attrs }) => attrs.count)

function openEditor(...blocks: BlockSketch[]): HeadlessEditor {
  const editor = createHeadlessEditor(textWith(...blocks))
  editor.binding.drawRest()
  return editor
}

function expectSettled({ binding, state }: HeadlessEditor): void {
  expect(new TextReader(pageSchema).read(binding.text).node.eq(state.doc)).toBe(true)
}

test.each([
  [100, Array.from({ length: 100 }, () => 1)],
  [101, [101]],
  [2_500, [1_000, 1_000, 500]],
])('%i unknown parts in a row are shown as nodes of so many each', (count, counts) => {
  expect(countsOf(openEditor(...holograms(count)))).toEqual(counts)
})

test('all of their letters are shown', () => {
  const parts = Array.from({ length: 300 }, (_, index) => hologram(`${index} `.repeat(30)))
  const { doc } = openEditor(...parts).state
  expect(doc.childCount).toBeLessThan(20)
  const shown = doc.children.map(({ attrs }) => String(attrs.text)).join(' ')
  for (let index = 0; index < 300; index++) expect(shown).toContain(`${index} `.repeat(30))
})

test('a block between them stands alone, and known blocks are never grouped', () => {
  const paragraphs = Array.from({ length: 200 }, () => paragraph('a'))
  const editor = openEditor(...holograms(150), paragraph('b'), ...holograms(150), ...paragraphs)
  expect(countsOf(editor).slice(0, 4)).toEqual([150, undefined, 150, undefined])
  expect(editor.state.doc.childCount).toBe(203)
})

describe('an edit', () => {
  const openLong = (): HeadlessEditor => openEditor(paragraph('a'), ...holograms(1_500), paragraph('b'))

  test('goes before and behind them where it was made', () => {
    const editor = openLong()
    editor.edit((tr) => tr.insertText('x', 2))
    editor.edit((tr) => tr.insertText('y', tr.doc.content.size - 1))
    const blocks = sketchBlocks(editor.binding.text)
    expect([blocks[0], blocks.at(-1)]).toEqual([paragraph('ax'), paragraph('by')])
    expect(blocks).toHaveLength(1_502)
    expectSettled(editor)
  })

  test('deletes the parts of a node, and undo brings them back', () => {
    const editor = openLong()
    const { text } = editor.binding
    const undo = new Y.UndoManager(text, { trackedOrigins: new Set([editor.binding]) })
    editor.edit((tr) => tr.delete(3, 4))
    expect(text.length).toBe(502)
    undo.undo()
    expect(text.length).toBe(1_502)
    expect(countsOf(editor)).toEqual([undefined, 1_000, 500, undefined])
    expectSettled(editor)
  })

  test('moves or copies all parts of a node, and not those of another', () => {
    const editor = openLong()
    const { text } = editor.binding
    const [, , second] = editor.state.doc.children
    editor.edit((tr) => tr.delete(4, 5).insert(0, second!))
    expect(text.length).toBe(1_502)
    expect(countsOf(editor)).toEqual([500, undefined, 1_000, undefined])
    editor.edit((tr) => tr.insert(tr.doc.content.size, tr.doc.child(0)))
    expect(text.length).toBe(2_002)
    expect(countsOf(editor)).toEqual([500, undefined, 1_000, undefined, 500])
    expectSettled(editor)
  })

  test('of somebody else in the middle is shown as in a window that opens', () => {
    const editor = openLong()
    const { text } = editor.binding
    text.insert(700, [newHologram()])
    expectSettled(editor)
    ;(text.get(300) as Y.XmlElement).insert(0, [new Y.XmlText('letters')])
    expect(editor.state.doc.child(1).attrs.text).toBe('letters')
    expectSettled(editor)
    const block = new Y.XmlElement('paragraph')
    text.insert(40, [block])
    expect(countsOf(editor).slice(0, 41).filter(Boolean)).toHaveLength(39)
    expectSettled(editor)
  })
})

test('a position in one of the parts is shown at its node', () => {
  const editor = openEditor(paragraph('a'), ...holograms(1_500), paragraph('b'))
  const { text, reading } = editor.binding
  const within = Y.createRelativePositionFromTypeIndex(text.get(1_200) as Y.XmlElement, 0)
  expect(absolutePositionOf(reading!, within)).toBe(4)
  for (const at of [0, 3, 4, 5, 6])
    expect(absolutePositionOf(reading!, relativePositionOf(reading!, at))).toBe(at)
})

/** Whatever is inserted and deleted, the kept groups are those of a new reader. */
test('groups follow from the parts alone', () => {
  const edits = fc.array(
    fc.tuple(
      fc.nat({ max: 260 }),
      fc.constantFrom('delete', 'hologram', 'paragraph', 'letters'),
      fc.nat({ max: 120 }),
    ),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(edits, (steps) => {
      const editor = openEditor(...holograms(130), paragraph('a'), ...holograms(130))
      const { text } = editor.binding
      for (const [at, what, count] of steps) {
        const index = Math.min(at, text.length)
        if (what === 'delete') text.delete(index, Math.min(count, text.length - index))
        else if (what === 'letters') {
          const part = text.get(index)
          if (part instanceof Y.XmlElement) part.insert(0, [new Y.XmlText('x'.repeat(count * 50))])
        } else
          text.insert(
            index,
            Array.from({ length: count }, () => new Y.XmlElement(what)),
          )
        expectSettled(editor)
      }
      editor.destroy()
    }),
    { numRuns: 60 },
  )
})
