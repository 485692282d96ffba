/** Positions are stored as Tiptap's own binding stores them, and each comes back to where it was. */
import type { Node } from '@tiptap/pm/model'
import {
  absolutePositionToRelativePosition,
  initProseMirrorDoc,
  relativePositionToAbsolutePosition,
} from '@tiptap/y-tiptap'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createSeededRandom } from '@/lib/fixtures/seeded-random.ts'
import { lineBreak, paragraph, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { textSchema } from '@/components/editor/schema-extensions.ts'
import { createHeadlessEditor } from './fixtures/headless-editor.ts'
import { randomEdit } from './fixtures/random-edits.ts'
import { absolutePositionOf, relativePositionOf } from './positions.ts'
import { TextReader } from './read-text.ts'
import { isVirtual, type Reading } from './reading.ts'
import { pageSchema } from '@/components/editor/schema.ts'

const blocks = [
  paragraph('aaaa', lineBreak, { text: 'bold', marks: { bold: {} } }),
  { name: 'horizontalRule' },
  {
    name: 'bulletList',
    children: [{ name: 'listItem', children: [paragraph('one'), paragraph('two')] }],
  },
  { name: 'blockquote', children: [paragraph(), { name: 'codeBlock', children: [{ text: 'code' }] }] },
]

/** A text after some edits of a person. */
const editedTexts = fc.nat().map((seed) => {
  const random = createSeededRandom(seed)
  const editor = createHeadlessEditor(textWith(...blocks))
  for (let step = 0; step < 10; step++) {
    const edit = randomEdit(editor.state, random)
    if (edit) editor.dispatch(edit.transaction)
  }
  return editor.binding.text
})

/** Where a caret can stand, and before and after each block. */
const positionsIn = (doc: Node): number[] => Array.from({ length: doc.content.size + 1 }, (_, at) => at)

const isStored = (reading: Reading): boolean => !isVirtual(reading) && reading.children.every(isStored)

test('each position of a text comes back to where it was', () => {
  fc.assert(
    fc.property(editedTexts, (text) => {
      const reading = new TextReader(pageSchema).read(text)
      if (!isStored(reading)) return
      const positions = positionsIn(reading.node)
      expect(positions.map((at) => absolutePositionOf(reading, relativePositionOf(reading, at)))).toEqual(
        positions,
      )
    }),
    { numRuns: 60 },
  )
})

test('positions among letters are those of Tiptap’s own binding, wherever that finds its own again', () => {
  let compared = 0
  fc.assert(
    fc.property(editedTexts, (edited) => {
      // Tiptap's own binding writes into the text where a part does not fit, and has never seen that a mark is on a node.
      const copy = new Y.Doc()
      Y.applyUpdate(copy, Y.encodeStateAsUpdate(edited.doc!))
      const text = copy.getXmlFragment('default')
      const { doc, mapping } = initProseMirrorDoc(text, textSchema)
      const reading = new TextReader(pageSchema).read(text)
      if (!isStored(reading) || doc.content.size !== reading.node.content.size) return
      for (const at of positionsIn(doc)) {
        if (!doc.resolve(at).parent.isTextblock) continue
        const stock = absolutePositionToRelativePosition(at, text, mapping) as Y.RelativePosition
        if (relativePositionToAbsolutePosition(copy, text, stock, mapping) !== at) continue
        compared += 1
        expect(absolutePositionOf(reading, stock)).toBe(at)
        const own = relativePositionOf(reading, at)
        expect(relativePositionToAbsolutePosition(copy, text, own, mapping)).toBe(at)
      }
    }),
    { numRuns: 60 },
  )
  expect(compared).toBeGreaterThan(1_000)
})

test('a position within a divider is where the divider is', () => {
  const text = textWith(paragraph('a'), { name: 'horizontalRule' }, paragraph('b'))
  const reading = new TextReader(pageSchema).read(text)
  const within = Y.createRelativePositionFromTypeIndex(text.get(1) as Y.XmlElement, 0, -1)
  expect(absolutePositionOf(reading, within)).toBe(3)
})
