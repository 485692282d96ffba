import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { lineBreak, paragraph, textWith } from './fixtures/text-sketches.ts'
import { isTextBlock, textNodePositionAt, blockTextOf, blocksTextOf, textBlocksOf } from './plain-text.ts'
import { type Block, treeOf } from './tree.ts'

const item = (...children: object[]) => ({ name: 'listItem', children }) as never

test('a text block is one string, and a line break in it is one letter', () => {
  const [block] = treeOf(textWith(paragraph('a', { text: 'b', marks: { bold: {} } }, lineBreak, 'c'))) as [
    Block,
  ]
  expect(blockTextOf(block)).toBe('ab\nc')
})

test('blocks within blocks are lines of their own, in the order of reading', () => {
  const list = {
    name: 'bulletList',
    children: [item(paragraph('one')), item(paragraph('two'), paragraph(''))],
  }
  const blocks = treeOf(textWith(list, { name: 'horizontalRule' }, paragraph('three')))
  expect(textBlocksOf(blocks).map(({ name }) => name)).toEqual(Array(4).fill('paragraph'))
  expect(blocksTextOf(blocks)).toBe('one\ntwo\n\nthree')
})

test('letters in a block of an unknown name are read; a block that holds blocks is no text block', () => {
  const blocks = treeOf(
    textWith(
      { name: 'hologram', children: [{ text: 'new' }] },
      { name: 'box', children: [paragraph('in it')] },
    ),
  )
  expect(blocks.map(isTextBlock)).toEqual([true, false])
  expect(blocksTextOf(blocks)).toBe('new\nin it')
})

test('each letter is found again in the shared text', () => {
  const children = fc.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.constant(lineBreak)))
  fc.assert(
    fc.property(children, (parts) => {
      const [block] = treeOf(textWith(paragraph(...parts))) as [Block]
      const text = blockTextOf(block)
      for (let offset = 0; offset < text.length; offset++) {
        if (text[offset] === '\n') continue
        const [start, end] = [
          textNodePositionAt(block, offset)!,
          textNodePositionAt(block, offset + 1, 'end')!,
        ]
        expect(start.type.toString()[start.index]).toBe(text[offset])
        expect(end).toEqual({ type: start.type, index: start.index + 1 })
      }
    }),
  )
})

test('an empty block has a position when it has a text node', () => {
  const fragment = textWith({ name: 'paragraph' })
  expect(textNodePositionAt(treeOf(fragment)[0]!, 0)).toBeNull()
  const text = new Y.XmlText()
  ;(fragment.get(0) as Y.XmlElement).insert(0, [text])
  expect(textNodePositionAt(treeOf(fragment)[0]!, 0)).toEqual({ type: text, index: 0 })
})
