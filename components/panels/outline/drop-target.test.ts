import { expect, test } from 'vitest'
import { headingsOf } from '@/lib/text/headings.ts'
import { heading, paragraph, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { dropBlockIndex, dropRowAt } from './drop-target.ts'

const rows = [0, 20, 40].map((top) => ({ top, bottom: top + 20 }))

test.each([
  [-50, 0],
  [9, 0],
  [11, 1],
  [29, 1],
  [31, 2],
  [49, 2],
  [51, 3],
  [500, 3],
])('a pointer at %i is before row %i', (y, row) => {
  expect(dropRowAt(rows, y)).toBe(row)
})

test('a row means the block of its heading, the position after the last row means the end, and a quoted heading means the next block', () => {
  const quote = { name: 'blockquote', children: [heading(1, 'Quoted')] }
  const blocks = treeOf(textWith(paragraph('x'), heading(1, 'A'), quote, paragraph('y'), heading(1, 'B')))
  const headings = headingsOf(blocks)
  expect([0, 1, 2, 3].map((row) => dropBlockIndex(headings, row, blocks.length))).toEqual([1, 4, 4, 5])
})
