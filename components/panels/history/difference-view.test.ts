import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { differencesBetween } from '@/lib/text/diff.ts'
import { paragraph, type BlockSketch, textWith } from '@/lib/text/fixtures/text-sketches.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { DifferenceView } from './difference-view.tsx'

const list = (name: string, ...items: string[]): BlockSketch => ({
  name,
  attributes: { start: 3 },
  children: items.map((letters) => ({ name: 'listItem', children: [paragraph(letters)] })),
})

const shownLines = (before: BlockSketch, after: BlockSketch): string[] =>
  differencesBetween(treeOf(textWith(before)), treeOf(textWith(after)))
    .map((difference) => renderToStaticMarkup(createElement(DifferenceView, { difference })))
    .join('')
    .split('</p>')
    .map((line) => line.replaceAll(/<[^>]*>/g, ''))
    .filter(Boolean)

test('a numbered list has its numbers, where it changed those of its own side', () => {
  const numbered = (...items: string[]) => list('orderedList', ...items)
  expect(shownLines(numbered('a', 'b'), numbered('a', 'b'))).toEqual(['3.a', '4.b'])
  expect(shownLines(numbered('a', 'b', 'c'), numbered('a', 'c', 'd'))).toEqual(['3.a', '−4.b', '4.c', '+5.d'])
})

test('a list without numbers has bullets', () => {
  expect(shownLines(list('bulletList', 'a'), list('bulletList', 'a'))).toEqual(['•a'])
})
