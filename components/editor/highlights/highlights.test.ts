import { getSchema } from '@tiptap/core'
import { Fragment, Node } from '@tiptap/pm/model'
import { EditorState, PluginKey, type Transaction } from '@tiptap/pm/state'
import StarterKit from '@tiptap/starter-kit'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import { expect, test, vi } from 'vitest'
import type { LinePosition } from '@/lib/text/lines.ts'
import { type Highlight, highlightPlugin, type HighlightState, lineRangeBetween } from './highlights.ts'

const schema = getSchema([StarterKit])

const text = (letters: string) => ({ type: 'text', text: letters })
const paragraph = (...content: object[]) => ({ type: 'paragraph', content })
const docOf = (...content: object[]) => Node.fromJSON(schema, { type: 'doc', content })

const linePosition = (written: string): LinePosition => {
  const [line = 0, offset = 0] = written.split(':').map(Number)
  return { line, offset }
}

/** "0:4-1:2": from line 0, letter 4, to line 1, letter 2. */
function highlight(id: string, rangeText: string, more: Partial<Highlight> = {}): Highlight {
  const [from = '', to = ''] = rangeText.split('-')
  return { id, from: linePosition(from), to: linePosition(to), className: 'mark', ...more }
}

function createEditor(doc: Node, source: () => Highlight[]) {
  const key = new PluginKey<HighlightState>('test')
  let state = EditorState.create({
    doc,
    plugins: [highlightPlugin(key, { get: source, subscribe: () => () => {} })],
  })
  const structuralEditCount = () => key.getState(state)!.structuralEdits
  const marked = () =>
    key
      .getState(state)!
      .decorationSet.find()
      .map(({ from, to }) => state.doc.textBetween(from, to, '|', '/'))
  return {
    marked,
    structuralEditCount,
    key,
    edit: (change: (transaction: Transaction) => Transaction) => (state = state.apply(change(state.tr))),
  }
}

const doc = docOf(
  paragraph(text('one two')),
  {
    type: 'bulletList',
    content: [
      { type: 'listItem', content: [paragraph(text('three '), { type: 'hardBreak' }, text('four'))] },
    ],
  },
  paragraph(),
  { type: 'horizontalRule' },
  paragraph(text('five')),
)

test.each([
  ['0:4-0:7', ['two']],
  ['1:0-1:11', ['three /four']],
  ['0:4-1:2', ['two|th']],
  ['3:0-3:4', ['five']],
  ['2:0-2:0', []],
  ['0:4-0:99', []],
  ['9:0-9:2', []],
  ['3:0-0:1', []],
])('%s are the letters %j', (rangeText, expected) => {
  expect(createEditor(doc, () => [highlight('a', rangeText)]).marked()).toEqual(expected)
})

test('letters that do not exist are not highlighted', () => {
  const both = [
    highlight('a', '0:0-0:3', { expectedText: 'two' }),
    highlight('b', '0:4-0:7', { expectedText: 'two' }),
  ]
  expect(createEditor(doc, () => both).marked()).toEqual(['two'])
})

test('highlights move with local typing without being recomputed', () => {
  let sourceReads = 0
  const { edit, marked } = createEditor(doc, () => {
    sourceReads++
    return [highlight('a', '0:4-0:7')]
  })
  edit((transaction) => transaction.insertText('zero ', 1))
  edit((transaction) => transaction.insertText('-', 11))
  expect(marked()).toEqual(['t-wo'])
  expect(sourceReads).toBe(1)
})

/** Applies a remote change in one block as the binding does: the nodes of all other blocks are reused. */
const applyRemoteEdit = (transaction: Transaction, index: number, ...content: object[]): Transaction => {
  const block = transaction.doc.child(index).copy(Fragment.fromJSON(schema, content))
  const blocks = transaction.doc.content.replaceChild(index, block)
  return transaction
    .replaceWith(0, transaction.doc.content.size, blocks)
    .setMeta(ySyncPluginKey, { isChangeOrigin: true })
}

test.each([
  ['before them', 'zero one two', ['two']],
  ['behind them', 'one two three', ['two']],
  ['within them', 'one t-wo', ['t-wo']],
  ['next to an equal letter', 'one ttwo', ['ttwo']],
  ['in their place', 'one owt', ['owt']],
  ['that deletes some of them', 'one o', ['o']],
  ['that deletes them', 'one ', []],
])(
  'highlights move with remote typing in their block %s without being recomputed',
  (_where, letters, expected) => {
    let sourceReads = 0
    const { edit, marked } = createEditor(doc, () => {
      sourceReads++
      return [highlight('a', '0:4-0:7')]
    })
    edit((transaction) => applyRemoteEdit(transaction, 0, text(letters)))
    expect([marked(), sourceReads]).toEqual([expected, 1])
  },
)

test('highlights stay in place when somebody writes in another block or formats the text', () => {
  const { edit, marked } = createEditor(doc, () => [highlight('a', '0:4-0:7'), highlight('b', '3:0-3:4')])
  edit((transaction) => applyRemoteEdit(transaction, 2, text('a line that was empty')))
  edit((transaction) => applyRemoteEdit(transaction, 0, { ...text('one two'), marks: [{ type: 'bold' }] }))
  expect(marked()).toEqual(['two', 'five'])
})

test('a remote letter inspects no other block, however long the text is', () => {
  const nodeWalks = vi.spyOn(Node.prototype, 'nodesBetween')
  const long = docOf(...Array.from({ length: 1_000 }, () => paragraph(text('one two'))))
  const { edit, marked } = createEditor(long, () => [highlight('a', '500:4-500:7')])
  nodeWalks.mockClear()
  edit((transaction) => applyRemoteEdit(transaction, 500, text('one, two')))
  expect(nodeWalks).not.toHaveBeenCalled()
  nodeWalks.mockRestore()
  expect(marked()).toEqual(['two'])
})

test('highlights are recomputed when a remote edit changes more than one block, and when their source changes', () => {
  let rangeText = '0:4-0:7'
  const { edit, marked, key } = createEditor(doc, () => [highlight('a', rangeText)])
  rangeText = '1:0-1:4'
  const remoteDoc = docOf(paragraph(text('new')), paragraph(text('text of others')))
  edit((transaction) =>
    transaction
      .replaceWith(0, transaction.doc.content.size, remoteDoc.content)
      .setMeta(ySyncPluginKey, { isChangeOrigin: true }),
  )
  expect(marked()).toEqual(['text'])
  rangeText = '0:0-0:1'
  edit((transaction) => transaction.setMeta(key, true))
  expect(marked()).toEqual(['n'])
})

test('a selection is a range of lines, also across blocks', () => {
  expect(lineRangeBetween(doc, 5, 8)).toEqual({ from: linePosition('0:4'), to: linePosition('0:7') })
  expect(lineRangeBetween(doc, 5, 14)).toEqual({ from: linePosition('0:4'), to: linePosition('1:2') })
  expect(lineRangeBetween(doc, 0, doc.content.size)).toEqual({
    from: linePosition('0:0'),
    to: linePosition('3:4'),
  })
})

test('splitting, joining and pasting blocks are distinguished from typing', () => {
  const { edit, structuralEditCount } = createEditor(doc, () => [])
  edit((transaction) => transaction.insertText('typed', 3).delete(4, 6))
  edit((transaction) => transaction.addMark(1, 3, schema.mark('bold')).setNodeMarkup(0, schema.nodes.heading))
  expect(structuralEditCount()).toBe(1)
  edit((transaction) => transaction.split(4))
  edit((transaction) => transaction.join(4 + 1))
  edit((transaction) => transaction.insert(0, Node.fromJSON(schema, paragraph(text('pasted')))))
  expect(structuralEditCount()).toBe(4)
})
