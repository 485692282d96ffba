import type { Node } from '@tiptap/pm/model'
import { EditorState, NodeSelection, Selection, TextSelection, type Transaction } from '@tiptap/pm/state'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { sharedTextOf } from '@/lib/blocks/fixtures/block-documents.ts'
import { createHeadlessEditor } from '@/components/binding/fixtures/headless-editor.ts'
import { pageSchema as schema } from '../schema.ts'
import { blockAround, type BlockRange, blockRangeOf, blockWithin } from './block-range.ts'
import { BlockSelection } from './block-selection.ts'
import { canMoveTo, deleteBlocks, duplicateBlocks, moveBlocks, targetOfStep } from './edit-blocks.ts'

const p = (text: string) => schema.node('paragraph', null, text ? schema.text(text) : [])
const item = (...content: Node[]) => schema.node('listItem', null, content)
const list = (...items: Node[]) => schema.node('bulletList', null, items)
const quote = (...content: Node[]) => schema.node('blockquote', null, content)
const doc = (...content: Node[]) => schema.node('doc', null, content)

/** Blocks as `a`, `[a b]` for a list or a quote of two, `a+[b]` for an item with a list below its line. */
const shapeOf = (node: Node): string => {
  if (node.isTextblock) return node.textContent
  const shapes = node.children.map(shapeOf)
  return node.type.name === 'listItem' ? shapes.join('+') : `[${shapes.join(' ')}]`
}

const positionOf = (root: Node, letters: string): number => {
  let found = -1
  root.descendants((node, at) => {
    if (node.isText && node.text === letters) found = at
  })
  return found
}

function caretIn(root: Node, from: string, to = from): EditorState {
  const selection = TextSelection.create(root, positionOf(root, from), positionOf(root, to) + to.length)
  return EditorState.create({ doc: root, selection })
}

function act(
  state: EditorState,
  change: (tr: Transaction, range: BlockRange) => Transaction,
): { shape: string; selection: Selection } {
  const { doc: after, selection } = change(state.tr, blockRangeOf(state.selection)!)
  after.check()
  return { shape: shapeOf(after), selection }
}

const step = (direction: -1 | 1) => (tr: Transaction, range: BlockRange) => {
  const target = targetOfStep(tr.doc, range, direction)
  return target === null ? tr : moveBlocks(tr, range, target)
}

const nested = doc(
  p('a'),
  list(item(p('b')), item(p('c'), list(item(p('d')), item(p('e'))))),
  quote(p('f'), p('g')),
)

describe('which blocks are meant', () => {
  test.each([
    ['a', 'a', '[a]'],
    ['b', 'b', '[[b]]'],
    ['c', 'c', '[[c+[d e]]]'],
    ['d', 'e', '[[d e]]'],
    ['b', 'd', '[[b c+[d e]]]'],
    ['a', 'b', '[a [b c+[d e]]]'],
    ['f', 'g', '[f g]'],
  ])('from %s to %s: %s', (from, to, shape) => {
    const { selection } = caretIn(nested, from, to)
    const { from: start, to: end } = blockRangeOf(selection)!
    const blocks = BlockSelection.of(nested, { from: start, to: end })
    const { content } = blocks.content()
    expect(`[${content.content.map(shapeOf).join(' ')}]`).toBe(shape)
  })

  test('a block around, and the first block within', () => {
    const inner = blockRangeOf(caretIn(nested, 'd').selection)!
    const around = blockAround(nested, inner)!
    expect(shapeOf(nested.slice(around.from, around.to).content.firstChild!)).toBe('[d e]')
    expect(blockWithin(nested, around)).toEqual(inner)
    expect(blockWithin(nested, inner)).toBeNull()
    const item = blockAround(nested, around)!
    expect(blockWithin(nested, item)).toEqual(around)
  })

  test('a part that is selected as a whole, and all of the text', () => {
    const root = doc(p('a'), schema.node('horizontalRule'), p('b'))
    expect(blockRangeOf(NodeSelection.create(root, 3))).toEqual({ from: 3, to: 4 })
    const all = EditorState.create({ doc: root }).tr.setSelection(Selection.atStart(root))
    expect(blockRangeOf(all.selection)).toEqual({ from: 0, to: 3 })
  })
})

describe('moving', () => {
  test.each([
    ['a', 1, '[[b c+[d e]] a [f g]]'],
    ['c', -1, '[a [c+[d e] b] [f g]]'],
    ['e', -1, '[a [b c+[e d]] [f g]]'],
    ['d', -1, '[a [b d c+[e]] [f g]]'],
    ['e', 1, '[a [b c+[d] e] [f g]]'],
    ['f', -1, '[a [b c+[d e]] f [g]]'],
    ['g', 1, '[a [b c+[d e]] [f] g]'],
    ['a', -1, '[a [b c+[d e]] [f g]]'],
    ['b', -1, '[a [b c+[d e]] [f g]]'],
  ] as const)('%s by %d: %s', (letters, direction, shape) => {
    const { shape: moved, selection } = act(caretIn(nested, letters), step(direction))
    expect(moved).toBe(shape)
    expect(selection.$head.parent.textContent).toBe(letters)
  })

  test('several blocks at once, and they stay selected', () => {
    const root = doc(p('a'), p('b'), p('c'))
    const range = blockRangeOf(caretIn(root, 'a', 'b').selection)!
    const state = EditorState.create({ doc: root, selection: BlockSelection.of(root, range) })
    const { shape, selection } = act(state, step(1))
    expect(shape).toBe('[c a b]')
    expect((selection as BlockSelection).blocks().map(shapeOf)).toEqual(['a', 'b'])
  })

  test('an item that is dropped outside of its list gets one, and what was empty without it goes', () => {
    const root = doc(p('a'), list(item(p('b'))))
    const range = blockRangeOf(caretIn(root, 'b').selection)!
    expect(canMoveTo(root, range, 0)).toBe(true)
    expect(act(caretIn(root, 'b'), (tr) => moveBlocks(tr, range, 0)).shape).toBe('[[b] a]')
  })

  test('into itself, or where the schema has no room for it, nothing moves', () => {
    const range = blockRangeOf(caretIn(nested, 'c').selection)!
    expect(canMoveTo(nested, range, range.from)).toBe(false)
    expect(canMoveTo(nested, range, positionOf(nested, 'd') - 2)).toBe(false)
    const paragraph = blockRangeOf(caretIn(nested, 'a').selection)!
    expect(canMoveTo(nested, paragraph, range.from)).toBe(false)
  })
})

test('a copy follows the blocks and is selected; deleting takes along what only they stood in', () => {
  const { shape, selection } = act(caretIn(nested, 'b'), duplicateBlocks)
  expect(shape).toBe('[a [b b c+[d e]] [f g]]')
  expect(selection).toBeInstanceOf(BlockSelection)
  expect(act(caretIn(nested, 'd', 'e'), deleteBlocks).shape).toBe('[a [b c] [f g]]')
  expect(act(caretIn(doc(p('a')), 'a'), deleteBlocks).shape).toBe('[]')
})

test('of two blocks that change places the longer one keeps what others type in it meanwhile', () => {
  const text = sharedTextOf(doc(p('short'), p('a much longer paragraph')))
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(text.doc!))
  const otherText = other.getXmlFragment('default')
  const editor = createHeadlessEditor(text)
  editor.edit((tr) =>
    tr.setSelection(TextSelection.create(tr.doc, positionOf(tr.doc, 'a much longer paragraph'))),
  )
  editor.edit((tr) => step(-1)(tr, blockRangeOf(tr.selection)!))
  ;((otherText.get(1) as Y.XmlElement).get(0) as Y.XmlText).insert(0, 'and ')
  Y.applyUpdate(text.doc!, Y.encodeStateAsUpdate(other))
  expect(shapeOf(editor.state.doc)).toBe('[and a much longer paragraph short]')
  editor.destroy()
})

test('selected blocks stay selected while others write around them, and become a caret when they are deleted', () => {
  const root = doc(p('a'), p('b'), p('c'))
  let state = EditorState.create({ doc: root, selection: BlockSelection.of(root, { from: 3, to: 6 }) })
  const apply = (change: (tr: Transaction) => Transaction) => (state = state.apply(change(state.tr)))
  const selected = () => (state.selection as BlockSelection).blocks().map(shapeOf)
  apply((tr) => tr.insert(3, p('before')).insert(0, p('first')))
  expect(selected()).toEqual(['b'])
  apply((tr) => tr.insert(state.selection.to, p('after')))
  expect(selected()).toEqual(['b'])
  apply((tr) => tr.insertText('!', state.selection.to - 1))
  expect(selected()).toEqual(['b!'])
  const { from, to } = state.selection
  apply((tr) => tr.delete(from, to))
  expect(state.selection).toBeInstanceOf(TextSelection)
})
