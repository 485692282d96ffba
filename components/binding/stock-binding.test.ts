/** The shared text as Tiptap's own binding reads and writes it. */
import type { Node } from '@tiptap/pm/model'
import { prosemirrorToYXmlFragment, yXmlFragmentToProseMirrorRootNode } from '@tiptap/y-tiptap'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createSeededRandom } from '@/lib/fixtures/seeded-random.ts'
import { lineBreak, paragraph, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { textSchema } from '@/components/editor/schema-extensions.ts'
import { createHeadlessEditor } from './fixtures/headless-editor.ts'
import { randomEdit } from './fixtures/random-edits.ts'
import { TextReader } from './read-text.ts'
import { pageSchema } from '@/components/editor/schema.ts'

const blocks = [
  paragraph('aaaa', lineBreak, { text: 'bold', marks: { bold: {} } }),
  { name: 'heading', attributes: { level: 2 }, children: [{ text: 'abc' }] },
  {
    name: 'bulletList',
    children: [
      { name: 'listItem', children: [paragraph('one')] },
      { name: 'listItem', children: [paragraph('two')] },
    ],
  },
  { name: 'codeBlock', children: [{ text: 'code' }] },
]

const stockNodeOf = (doc: Node): Node => textSchema.nodeFromJSON(doc.toJSON())

/** What it does not know: marks on nodes, and parts that no schema of Tiptap has. */
const isKnownToStock = (doc: Node): boolean => {
  let isKnown = true
  doc.descendants((node) => {
    const isMarkedPart = !node.isText && node.marks.length > 0
    if (isMarkedPart || node.marks.some(({ type }) => type.name === 'unknownMark')) isKnown = false
  })
  return isKnown
}

test('what a person’s steps leave in the text is what Tiptap’s own binding reads, and what that writes is read the same', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = createSeededRandom(seed)
      const editor = createHeadlessEditor(textWith(...blocks))
      const { text } = editor.binding
      for (let step = 0; step < 12; step++) {
        const edit = randomEdit(editor.state, random)
        if (!edit || !isKnownToStock(edit.transaction.doc)) continue
        editor.dispatch(edit.transaction)
        const { doc } = editor.state
        const stock = stockNodeOf(doc)
        expect(yXmlFragmentToProseMirrorRootNode(text, textSchema).toJSON()).toEqual(stock.toJSON())
        const written = prosemirrorToYXmlFragment(stock, new Y.Doc().getXmlFragment('default'))
        expect(new TextReader(pageSchema).read(written).node.toJSON()).toEqual(doc.toJSON())
      }
    }),
    { numRuns: 60 },
  )
})
