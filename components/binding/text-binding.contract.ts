import type { Node } from '@tiptap/pm/model'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { createSeededRandom, type SeededRandom } from '@/lib/fixtures/seeded-random.ts'
import { lettersOf, randomTexts } from '@/lib/text/fixtures/random-text.ts'
import { appendBlocks, type BlockSketch, paragraph, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { skipFormattingCleanup } from '@/lib/yjs-internals/transaction.ts'
import { createHeadlessEditor, type HeadlessEditor } from './fixtures/headless-editor.ts'
import { randomEdit } from './fixtures/random-edits.ts'
import { parseJson } from './formats.ts'
import { TextReader } from './read-text.ts'
import { isVirtual, type Reading } from './reading.ts'
import { pageSchema } from '@/components/editor/schema.ts'

const freshReading = (text: Y.XmlFragment): Node => new TextReader(pageSchema).read(text).node

/** All letters that are shown, in their order, those of unknown parts too. */
function shownLetters(doc: Node): string {
  let shown = ''
  doc.descendants((node) => {
    if (node.isText) shown += node.text
    else if (node.type.name.startsWith('unknown')) shown += node.attrs.text
  })
  return shown
}

const sorted = (text: string): string =>
  text
    .replaceAll(/[\uFFFC\n ]/g, '')
    .split('')
    .toSorted()
    .join('')

/** Whether all that is shown is stored, and can be described: then an edit leaves what it did on screen. */
const isPlain = (reading: Reading): boolean =>
  !isVirtual(reading) &&
  !(reading.inline ?? []).some(({ node }) => node?.attrs.content === null) &&
  reading.children.every(isPlain)

function hasWrongValue(doc: Node): boolean {
  let isFound = false
  doc.descendants(({ type, attrs }) => {
    const carried = Object.keys(parseJson(String(attrs.unknownAttributes)) ?? {})
    if (carried.some((name) => Object.hasOwn(type.spec.attrs ?? {}, name))) isFound = true
  })
  return isFound
}

function expectSettled(editor: HeadlessEditor): void {
  editor.state.doc.check()
  const fresh = freshReading(editor.binding.text)
  if (!fresh.eq(editor.state.doc)) expect(editor.state.doc.toString()).toBe(fresh.toString())
  expect(fresh.eq(editor.state.doc)).toBe(true)
  expect(editor.binding.reading!.node).toBe(editor.state.doc)
}

const knownBlocks: readonly BlockSketch[] = [
  paragraph('aaaa'),
  {
    name: 'heading',
    attributes: { level: 2 },
    children: [{ text: 'abc' }, { text: 'bold', marks: { bold: {} } }],
  },
  {
    name: 'bulletList',
    children: [
      { name: 'listItem', children: [paragraph('one'), paragraph('two')] },
      {
        name: 'listItem',
        children: [
          paragraph('three'),
          {
            name: 'orderedList',
            attributes: { start: 1 },
            children: [{ name: 'listItem', children: [paragraph('four')] }],
          },
        ],
      },
    ],
  },
  {
    name: 'taskList',
    children: [{ name: 'taskItem', attributes: { checked: true }, children: [paragraph('task')] }],
  },
  { name: 'codeBlock', children: [{ text: 'code\nmore' }] },
  { name: 'horizontalRule' },
  { name: 'blockquote', children: [paragraph('quoted', { name: 'hardBreak' }, 'words'), paragraph()] },
]

function editAtRandom(editor: HeadlessEditor, random: SeededRandom, log: string[]): void {
  const edit = randomEdit(editor.state, random)
  if (!edit) return
  const before = editor.state.doc
  // A value of a wrong kind goes once somebody chooses another one.
  const choosesValue = edit.name === 'attribute' && hasWrongValue(before)
  const wasPlain = isPlain(editor.binding.reading!) && !choosesValue
  const expected = edit.transaction.doc
  log.push(`${edit.name}: ${before.toString()} -> ${expected.toString()}`)
  editor.dispatch(edit.transaction)
  expectSettled(editor)
  if (wasPlain) {
    if (!editor.state.doc.eq(expected)) expect(editor.state.doc.toString()).toBe(expected.toString())
    expect(editor.state.doc.toJSON()).toEqual(expected.toJSON())
  } else expect(sorted(shownLetters(editor.state.doc))).toBe(sorted(shownLetters(expected)))
}

function withLog(run: (log: string[]) => void): void {
  const log: string[] = []
  try {
    run(log)
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${log.slice(-3).join('\n')}`, { cause: error })
  }
}

/** Random edits of random texts, on one replica and on several. */
export function describeTextBinding(runs: number): void {
  test('[W11] whatever a text holds, reading it gives a document that fits the schema, keeps all letters, and writes nothing', () => {
    fc.assert(
      fc.property(randomTexts, (text) => {
        const before = Y.encodeStateAsUpdate(text.doc!)
        const doc = freshReading(text)
        doc.check()
        expect(sorted(shownLetters(doc))).toBe(sorted(lettersOf(text)))
        expect(freshReading(text).eq(doc)).toBe(true)
        expect(Y.encodeStateAsUpdate(text.doc!)).toEqual(before)
      }),
      { numRuns: 2 * runs },
    )
  })

  describe('a person’s steps', () => {
    test('in a text that the page knows: the text holds what the editor shows', () => {
      fc.assert(
        fc.property(fc.nat(), (seed) =>
          withLog((log) => {
            const random = createSeededRandom(seed)
            const editor = createHeadlessEditor(textWith(...knownBlocks))
            for (let step = 0; step < 30; step++) editAtRandom(editor, random, log)
          }),
        ),
        { numRuns: runs },
      )
    })

    test('in any text: no letter goes that nobody deleted', () => {
      fc.assert(
        fc.property(randomTexts, fc.nat(), (text, seed) =>
          withLog((log) => {
            const random = createSeededRandom(seed)
            const editor = createHeadlessEditor(text)
            for (let step = 0; step < 12; step++) editAtRandom(editor, random, log)
          }),
        ),
        { numRuns: runs },
      )
    })
  })

  test('several people in any text: their replicas are equal, and a viewer writes nothing', () => {
    fc.assert(
      fc.property(randomTexts, fc.nat(), fc.boolean(), (start, seed, isKnown) =>
        withLog((log) => {
          const random = createSeededRandom(seed)
          const editors = Array.from({ length: 4 }, (_, index) => {
            const doc = new Y.Doc()
            Y.applyUpdate(doc, Y.encodeStateAsUpdate(start.doc!))
            if (isKnown && index === 0) appendBlocks(doc.getXmlFragment('default'), knownBlocks)
            return createHeadlessEditor(doc.getXmlFragment('default'), { editable: index < 3 })
          })
          const docs = editors.map(({ binding }) => binding.text.doc!)
          const written = docs.map(() => 0)
          // As the page's own connection does: what Yjs would tidy up here, every replica would tidy up.
          for (const doc of docs)
            doc.on(
              'afterTransaction',
              (transaction) => void (transaction.local || skipFormattingCleanup(transaction)),
            )
          docs.forEach((doc, index) =>
            doc.on(
              'update',
              (_update: Uint8Array, origin: unknown) => (written[index]! += Number(origin !== 'remote')),
            ),
          )
          const exchange = (from: number, to: number): void => {
            const before = [...written]
            Y.applyUpdate(
              docs[to]!,
              Y.encodeStateAsUpdate(docs[from]!, Y.encodeStateVector(docs[to]!)),
              'remote',
            )
            expect(written).toEqual(before)
            expectSettled(editors[to]!)
          }
          for (let step = 0; step < 20; step++) {
            if (random.next() < 0.6) editAtRandom(editors[random.between(0, 2)]!, random, log)
            else exchange(random.between(0, 3), random.between(0, 3))
          }
          for (let round = 0; round < 2; round++)
            for (let from = 0; from < 4; from++)
              for (let to = 0; to < 4; to++) if (from !== to) exchange(from, to)
          expect(new Set(editors.map(({ state }) => JSON.stringify(state.doc.toJSON()))).size).toBe(1)
          expect(written[3]).toBe(0)
        }),
      ),
      { numRuns: runs },
    )
  })
}
