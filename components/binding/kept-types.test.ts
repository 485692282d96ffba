/** What a person's steps leave alone stays the same shared type, so that what others write in it at that moment stays too. */
import type { Node } from '@tiptap/pm/model'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type * as Y from 'yjs'
import { createSeededRandom } from '@/lib/fixtures/seeded-random.ts'
import { randomTexts } from '@/lib/text/fixtures/random-text.ts'
import { lineBreak, paragraph, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { itemOf } from '@/lib/yjs-internals/shared-type.ts'
import { createHeadlessEditor } from './fixtures/headless-editor.ts'
import { randomEdit } from './fixtures/random-edits.ts'
import { keptPositionOf, type KeptStretch, keptStretchesOf } from './kept-stretches.ts'
import type { Reading } from './reading.ts'

/** The types of nodes that are the same objects after the steps, each in the same node around it as before. */
function untouchedTypes(
  { children }: Reading,
  start: number,
  parent: Node,
  newStart: number,
  kept: readonly KeptStretch[],
): Y.XmlFragment[] {
  let at = start
  return children.flatMap((child) => {
    const [from, to] = [at, keptPositionOf(kept, at)]
    at += child.node.nodeSize
    const node = to === null ? null : childAt(parent, to - newStart)
    if (!node || !child.source) return []
    if (node === child.node) return storedTypesIn(child)
    return node.type === child.node.type ? untouchedTypes(child, from + 1, node, to! + 1, kept) : []
  })
}

function childAt(parent: Node, offset: number): Node | null {
  if (offset < 0 || offset > parent.content.size) return null
  const found = parent.childAfter(offset)
  return found.offset === offset ? found.node : null
}

const storedTypesIn = ({ source, children }: Reading): Y.XmlFragment[] => [
  ...(source ? [source] : []),
  ...children.flatMap(storedTypesIn),
]

const item = (...lines: string[]) => ({ name: 'listItem', children: lines.map((line) => paragraph(line)) })

/** Blocks of several kinds, some of them alike. */
const knownTexts = fc
  .constant(null)
  .map(() =>
    textWith(
      paragraph('aaaa', lineBreak, 'b'),
      paragraph(),
      { name: 'bulletList', children: [item('one', 'two'), item('one'), item('two')] },
      { name: 'hologram', children: [paragraph('far')] },
      { name: 'blockquote', children: [paragraph('aaaa'), { name: 'horizontalRule' }, paragraph()] },
      { name: 'codeBlock', children: [{ text: 'code' }] },
      paragraph('aaaa'),
    ),
  )

test('[W11] a person’s steps leave every shared type alone whose node they leave alone, in any text', () => {
  let checked = 0
  fc.assert(
    fc.property(fc.oneof(randomTexts, knownTexts), fc.nat(), (text, seed) => {
      const random = createSeededRandom(seed)
      const editor = createHeadlessEditor(text)
      let changed = new Set<unknown>()
      text.doc!.on('afterTransaction', (transaction) => (changed = new Set(transaction.changed.keys())))
      for (let step = 0; step < 8; step++) {
        const { reading } = editor.binding
        const edit = randomEdit(editor.state, random)
        if (!edit || !reading) continue
        const { doc, before, mapping } = edit.transaction
        const kept = keptStretchesOf(before.content.size, mapping.maps)
        const types = untouchedTypes(reading, 0, doc, 0, kept)
        changed = new Set()
        editor.dispatch(edit.transaction)
        expect(types.filter((type) => itemOf(type)!.deleted || changed.has(type))).toEqual([])
        checked += types.length
      }
    }),
    { numRuns: 150 },
  )
  expect(checked).toBeGreaterThan(1_000)
})
