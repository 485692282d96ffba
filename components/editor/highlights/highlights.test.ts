import { Node } from '@tiptap/pm/model'
import { PluginKey, type Transaction } from '@tiptap/pm/state'
import { expect, test, vi } from 'vitest'
import type * as Y from 'yjs'
import type { LinePosition } from '@/lib/text/lines.ts'
import {
  appendBlocks,
  type BlockSketch,
  lineBreak,
  paragraph,
  textWith,
} from '@/lib/text/fixtures/text-sketches.ts'
import { createHeadlessEditor } from '@/components/binding/fixtures/headless-editor.ts'
import { pageSchema as schema } from '../schema.ts'
import { type Highlight, highlightPlugin, type HighlightState, lineRangeBetween } from './highlights.ts'

const linePosition = (written: string): LinePosition => {
  const [line = 0, offset = 0] = written.split(':').map(Number)
  return { line, offset }
}

/** "0:4-1:2": from line 0, letter 4, to line 1, letter 2. */
function highlight(id: string, rangeText: string, more: Partial<Highlight> = {}): Highlight {
  const [from = '', to = ''] = rangeText.split('-')
  return { id, from: linePosition(from), to: linePosition(to), className: 'mark', ...more }
}

function createEditor(blocks: readonly BlockSketch[], source: () => Highlight[]) {
  const key = new PluginKey<HighlightState>('test')
  const text = textWith(...blocks)
  const editor = createHeadlessEditor(text, {
    plugins: [highlightPlugin(key, { get: source, subscribe: () => () => {} })],
  })
  const structuralEditCount = () => key.getState(editor.state)!.structuralEdits
  const marked = () =>
    key
      .getState(editor.state)!
      .decorationSet.find()
      .map(({ from, to }) => editor.state.doc.textBetween(from, to, '|', '/'))
  return {
    marked,
    structuralEditCount,
    key,
    text,
    editor,
    edit: (change: (transaction: Transaction) => Transaction) => editor.edit(change),
    /** Another person gives a block these letters. */
    writeRemotely: (block: number, letters: string) =>
      text.doc!.transact(() => {
        const line = (text.get(block) as Y.XmlElement).get(0) as Y.XmlText
        line.delete(0, line.length)
        line.insert(0, letters)
      }, 'remote'),
  }
}

const blocks: readonly BlockSketch[] = [
  paragraph('one two'),
  {
    name: 'bulletList',
    children: [{ name: 'listItem', children: [paragraph('three ', lineBreak, 'four')] }],
  },
  paragraph(''),
  { name: 'horizontalRule' },
  paragraph('five'),
]

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
  expect(createEditor(blocks, () => [highlight('a', rangeText)]).marked()).toEqual(expected)
})

test('letters that do not exist are not highlighted', () => {
  const both = [
    highlight('a', '0:0-0:3', { expectedText: 'two' }),
    highlight('b', '0:4-0:7', { expectedText: 'two' }),
  ]
  expect(createEditor(blocks, () => both).marked()).toEqual(['two'])
})

test('highlights move with local typing without being recomputed', () => {
  let sourceReads = 0
  const { edit, marked } = createEditor(blocks, () => {
    sourceReads++
    return [highlight('a', '0:4-0:7')]
  })
  sourceReads = 0
  edit((transaction) => transaction.insertText('zero ', 1))
  edit((transaction) => transaction.insertText('-', 11))
  expect(marked()).toEqual(['t-wo'])
  expect(sourceReads).toBe(0)
})

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
    const { writeRemotely, marked } = createEditor(blocks, () => {
      sourceReads++
      return [highlight('a', '0:4-0:7')]
    })
    sourceReads = 0
    writeRemotely(0, letters)
    expect([marked(), sourceReads]).toEqual([expected, 0])
  },
)

test('highlights stay in place when somebody writes in another block or formats the text', () => {
  const { text, writeRemotely, marked } = createEditor(blocks, () => [
    highlight('a', '0:4-0:7'),
    highlight('b', '3:0-3:4'),
  ])
  writeRemotely(2, 'a line that was empty')
  ;((text.get(0) as Y.XmlElement).get(0) as Y.XmlText).format(0, 7, { bold: {} })
  expect(marked()).toEqual(['two', 'five'])
})

test('a remote letter inspects no other block, however long the text is', () => {
  const nodeWalks = vi.spyOn(Node.prototype, 'nodesBetween')
  const long = Array.from({ length: 1_000 }, () => paragraph('one two'))
  const { writeRemotely, marked, editor } = createEditor(long, () => [highlight('a', '500:4-500:7')])
  expect(marked()).toEqual([])
  editor.binding.drawRest()
  nodeWalks.mockClear()
  writeRemotely(500, 'one, two')
  expect(nodeWalks).not.toHaveBeenCalled()
  nodeWalks.mockRestore()
  expect(marked()).toEqual(['two'])
})

test('highlights are recomputed when a remote edit changes more than letters, and when their source changes', () => {
  let rangeText = '0:4-0:7'
  const { edit, text, marked, key } = createEditor(blocks, () => [highlight('a', rangeText)])
  rangeText = '1:0-1:4'
  text.doc!.transact(() => {
    text.delete(0, text.length)
    appendBlocks(text, [paragraph('new'), paragraph('text of others')])
  }, 'remote')
  expect(marked()).toEqual(['text'])
  rangeText = '0:0-0:1'
  edit((transaction) => transaction.setMeta(key, true))
  expect(marked()).toEqual(['n'])
})

test('a selection is a range of lines, also across blocks', () => {
  const { state } = createEditor(blocks, () => []).editor
  expect(lineRangeBetween(state, 5, 8)).toEqual({ from: linePosition('0:4'), to: linePosition('0:7') })
  expect(lineRangeBetween(state, 5, 14)).toEqual({ from: linePosition('0:4'), to: linePosition('1:2') })
  expect(lineRangeBetween(state, 0, state.doc.content.size)).toEqual({
    from: linePosition('0:0'),
    to: linePosition('3:4'),
  })
})

test('letters in a part that is not known are not highlighted, and those behind it are', () => {
  const hologram: BlockSketch = { name: 'hologram', children: [paragraph('of tomorrow')] }
  const { marked } = createEditor([hologram, ...blocks], () => [
    highlight('a', '0:0-0:2'),
    highlight('b', '1:4-1:7'),
  ])
  expect(marked()).toEqual(['two'])
})

test('splitting, joining and pasting blocks are distinguished from typing', () => {
  const { edit, structuralEditCount } = createEditor(blocks, () => [])
  edit((transaction) => transaction.insertText('typed', 3).delete(4, 6))
  edit((transaction) => transaction.addMark(1, 3, schema.mark('bold')).setNodeMarkup(0, schema.nodes.heading))
  expect(structuralEditCount()).toBe(1)
  edit((transaction) => transaction.split(4))
  edit((transaction) => transaction.join(4 + 1))
  edit((transaction) => transaction.insert(0, schema.node('paragraph', null, [schema.text('pasted')])))
  expect(structuralEditCount()).toBe(4)
})
