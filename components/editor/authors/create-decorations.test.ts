import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Node } from '@tiptap/pm/model'
import { EditorState } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { anyDocument } from '@/lib/export/fixtures/random-documents.ts'
import { pageSchema } from '../schema.ts'
import { createDecorations, type PendingDecoration } from './create-decorations.ts'

const drawnByNobody = (): never => {
  throw new Error('Nothing is drawn here')
}

/** For each text block its letters and a sign before them; for each leaf of a block the block. */
function decorationsFor(doc: Node): PendingDecoration[] {
  const found: PendingDecoration[] = []
  doc.descendants((node, at) => {
    const [from, to] = [at + 1, at + node.nodeSize - 1]
    if (node.isTextblock && to > from) {
      found.push({
        from,
        to: from,
        create: (place) => Decoration.widget(place, drawnByNobody, { key: 's' }),
      })
      found.push({ from, to, create: (first, last) => Decoration.inline(first, last, {}, { key: 'i' }) })
    } else if (node.isBlock && node.isLeaf)
      found.push({
        from: at,
        to: at + node.nodeSize,
        create: (first, last) => Decoration.node(first, last, {}, { key: 'n' }),
      })
  })
  return found
}

const placesIn = (set: DecorationSet) =>
  set.find().map(({ from, to, spec }) => `${from} ${to} ${(spec as { key: string }).key}`)

test('makes the set that ProseMirror makes, and that moves alike with an edit', () => {
  fc.assert(
    fc.property(anyDocument, fc.nat(), (doc, seed) => {
      const pending = decorationsFor(doc)
      const [own, others] = [
        createDecorations(doc, pending),
        DecorationSet.create(
          doc,
          pending.map(({ from, to, create }) => create(from, to)),
        ),
      ]
      expect(placesIn(own)).toEqual(placesIn(others))
      const transaction = EditorState.create({ doc }).tr
      const { from } = pending[seed % Math.max(pending.length, 1)] ?? { from: 0 }
      if (doc.resolve(from).parent.inlineContent) transaction.insertText('xx', from)
      else transaction.delete(0, doc.child(0).nodeSize)
      const [ownMoved, othersMoved] = [own, others].map((set) =>
        set.map(transaction.mapping, transaction.doc),
      )
      expect(placesIn(ownMoved!)).toEqual(placesIn(othersMoved!))
    }),
    { numRuns: 200 },
  )
})

test('looks at each block once, however many decorations there are', () => {
  const paragraph = pageSchema.nodes['paragraph']!.create(null, pageSchema.text('words'))
  const doc = pageSchema.topNodeType.create(
    null,
    Array.from({ length: 2_000 }, () => paragraph),
  )
  const pending = decorationsFor(doc)
  let reads = 0
  const counted = pending.map((one) => ({
    ...one,
    get from() {
      reads += 1
      return one.from
    },
  }))
  createDecorations(doc, counted)
  expect(reads).toBeLessThan(10 * (doc.childCount + pending.length))
})
