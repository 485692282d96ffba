/** Windows write nothing when they receive edits that meet. */
import type { Node } from '@tiptap/pm/model'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { appendBlocks, type BlockSketch, paragraph, sketchBlocks } from '@/lib/text/fixtures/text-sketches.ts'
import { createHeadlessEditor } from './fixtures/headless-editor.ts'

const item = (...children: BlockSketch[]): BlockSketch => ({ name: 'listItem', children })
const list = (...children: BlockSketch[]): BlockSketch => ({ name: 'bulletList', children })

/** Windows that show one text: two that may edit it, and one that may not. Updates travel when the test says so. */
function openWindows(...blocks: BlockSketch[]) {
  const first = new Y.Doc()
  appendBlocks(first.getXmlFragment('default'), blocks)
  const windows = [true, true, false].map((editable) => {
    const doc = new Y.Doc()
    const text = doc.getXmlFragment('default')
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(first))
    const editor = createHeadlessEditor(text, { editable })
    let writes = 0
    doc.on('update', (_update: Uint8Array, origin: unknown) => void (writes += Number(origin !== 'remote')))
    return { doc, text, editor, edit: editor.edit, writes: () => writes }
  })
  const exchangeUpdates = () => {
    for (const from of windows)
      for (const to of windows)
        if (from !== to)
          Y.applyUpdate(to.doc, Y.encodeStateAsUpdate(from.doc, Y.encodeStateVector(to.doc)), 'remote')
  }
  const [ada, bob, viewer] = windows as [
    (typeof windows)[number],
    (typeof windows)[number],
    (typeof windows)[number],
  ]
  return { ada, bob, viewer, windows, exchangeUpdates }
}

type Windows = ReturnType<typeof openWindows>

const textOf = ({ editor: { state } }: Windows['ada']): string =>
  state.doc.textBetween(0, state.doc.content.size, '|')

/** Deletes the first node for which it holds. */
const deleteNode = ({ editor, edit }: Windows['ada'], isIt: (node: Node) => boolean): void => {
  let range: [number, number] | undefined
  editor.state.doc.descendants((node, at) => {
    if (!range && isIt(node)) range = [at, at + node.nodeSize]
  })
  edit((transaction) => transaction.delete(...range!))
}

const isParagraph = (text: string) => (node: Node) =>
  node.type.name === 'paragraph' && node.textContent === text

describe('two deletions that meet leave an item without a paragraph', () => {
  const meet = (): Windows => {
    const windows = openWindows(
      list(item(paragraph('p1'), paragraph('p2'), list(item(paragraph('kept'))))),
      paragraph('end'),
    )
    deleteNode(windows.ada, isParagraph('p1'))
    deleteNode(windows.bob, isParagraph('p2'))
    windows.exchangeUpdates()
    return windows
  }

  test('[W11] all words are kept, no window writes, and all show the same', () => {
    const { ada, bob, viewer, windows } = meet()
    expect(windows.map(textOf)).toEqual(['|kept|end', '|kept|end', '|kept|end'])
    expect([ada, bob, viewer].map(({ writes }) => writes())).toEqual([1, 1, 0])
    // A selection, a caret or a mark of a panel makes each editor look at its text again.
    for (const { edit } of windows) edit((transaction) => transaction.setMeta('any', true))
    expect(windows.map(({ writes }) => writes())).toEqual([1, 1, 0])
  })

  test('what was filled in becomes real for everybody when somebody writes in it', () => {
    const { ada, bob, windows, exchangeUpdates } = meet()
    ada.edit((transaction) => transaction.insertText('new', 3))
    exchangeUpdates()
    expect(windows.map(textOf)).toEqual(['new|kept|end', 'new|kept|end', 'new|kept|end'])
    expect(sketchBlocks(bob.text)).toEqual([
      list(item(paragraph('new'), list(item(paragraph('kept'))))),
      paragraph('end'),
    ])
    bob.edit((transaction) => transaction.insertText('more ', 3))
    exchangeUpdates()
    expect(windows.map(textOf)).toEqual(['more new|kept|end', 'more new|kept|end', 'more new|kept|end'])
  })

  test('writing in another block leaves it as it is', () => {
    const { ada, windows, exchangeUpdates } = meet()
    ada.edit((transaction) => transaction.insertText('s', ada.editor.state.doc.content.size - 1))
    exchangeUpdates()
    expect(windows.map(textOf)).toEqual(['|kept|ends', '|kept|ends', '|kept|ends'])
    expect(sketchBlocks(ada.text)[0]).toEqual(list(item(list(item(paragraph('kept'))))))
  })
})

test('a text that somebody has emptied is shown as an empty line, which no window writes', () => {
  const { ada, viewer, bob, windows, exchangeUpdates } = openWindows(paragraph('a'))
  ada.text.delete(0, 1)
  exchangeUpdates()
  for (const { edit } of windows) edit((transaction) => transaction.setMeta('any', true))
  expect([bob, viewer].map(({ writes }) => writes())).toEqual([0, 0])
  expect(windows.map(textOf)).toEqual(['', '', ''])
})

test('[W11] where two people began in one empty block at once, their letters stand in two texts, and nobody writes on receipt', () => {
  const { ada, bob, windows, exchangeUpdates } = openWindows({ name: 'paragraph', children: [] })
  for (const [{ edit }, word] of [
    [ada, 'one'],
    [bob, 'two'],
  ] as const)
    edit((transaction) => transaction.insertText(word, 1))
  exchangeUpdates()
  exchangeUpdates()
  expect(windows.map(({ writes }) => writes())).toEqual([1, 1, 0])
  for (const { edit } of [ada, bob]) edit((transaction) => transaction.insertText('!', 1))
  exchangeUpdates()
  expect(new Set(windows.map(textOf)).size).toBe(1)
  expect(textOf(ada).split('').toSorted().join('')).toBe('!!enootw')
})

test('[W11] whatever two people delete at once, no receipt writes, and the windows show the same', () => {
  const blocks = [
    list(
      item(paragraph('a'), list(item(paragraph('b')), item(paragraph('c'))), paragraph('d')),
      item(paragraph('e')),
    ),
    {
      name: 'blockquote',
      children: [
        paragraph('f'),
        { name: 'taskList', children: [{ name: 'taskItem', children: [paragraph('g'), paragraph('h')] }] },
      ],
    },
    paragraph('i'),
  ]
  const place = fc.nat(200)
  fc.assert(
    fc.property(fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 4 }), (rounds) => {
      const { ada, bob, viewer, windows, exchangeUpdates } = openWindows(...blocks)
      for (const [one, other] of rounds) {
        deleteNth(ada.text, one)
        deleteNth(bob.text, other)
        const before = windows.map(({ writes }) => writes())
        exchangeUpdates()
        for (const { edit } of windows) edit((transaction) => transaction.setMeta('any', true))
        expect(windows.map(({ writes }) => writes())).toEqual(before)
        for (const { editor } of windows) editor.state.doc.check()
        expect(windows.map(({ editor }) => editor.state.doc.toString())).toEqual(
          windows.map(() => viewer.editor.state.doc.toString()),
        )
      }
    }),
    { numRuns: 60 },
  )
})

/** Deletes one of the elements, as another panel or program does. */
function deleteNth(text: Y.XmlFragment, n: number): void {
  const elements = [
    ...text.createTreeWalker((type) => type instanceof Y.XmlElement),
  ] as unknown as Y.XmlElement[]
  const element = elements[n % Math.max(elements.length, 1)]
  const parent = element?.parent as Y.XmlFragment | undefined
  if (element && parent) parent.delete(parent.toArray().indexOf(element), 1)
}
