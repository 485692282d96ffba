import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { fromBase64 } from '../protocol/base64.ts'
import { heading, paragraph, textWith } from './fixtures/text-sketches.ts'
import { headingLevelOf } from '../blocks/heading/heading.ts'
import { outlineOf, type OutlineNode, headingsOf, sectionAt } from './headings.ts'
import { treeOf } from './tree.ts'

test('headings come in the order of reading, with those within quotes', () => {
  const quote = { name: 'blockquote', children: [heading(3, 'Quoted')] }
  const headings = headingsOf(treeOf(textWith(heading(1, 'Plan'), paragraph('x'), quote, heading(2, 'Cost'))))
  expect(headings).toMatchObject([
    { text: 'Plan', level: 1, index: 0 },
    { text: 'Quoted', level: 3, index: null },
    { text: 'Cost', level: 2, index: 3 },
  ])
})

test('an impossible level becomes one of the six', () => {
  const level = (value: unknown) =>
    headingLevelOf(treeOf(textWith({ name: 'heading', attributes: { level: value } }))[0]!.attributes)
  expect([3, '2', 7, 0, -1, 1.5, 'x', { a: 1 }].map(level)).toEqual([3, 2, 6, 1, 1, 1, 1, 1])
})

test('the anchor leads to the beginning of the heading, and stays the same while its letters change', () => {
  const fragment = textWith(paragraph('x'), heading(1, 'Plan'))
  const doc = fragment.doc!
  const anchor = () => headingsOf(treeOf(fragment))[0]!.anchor
  const before = anchor()
  const element = fragment.get(1) as Y.XmlElement
  const text = element.get(0) as Y.XmlText
  text.delete(0, 4)
  text.insert(0, 'Budget')
  fragment.insert(0, [new Y.XmlElement('paragraph')])
  expect(anchor()).toBe(before)
  const position = Y.decodeRelativePosition(fromBase64(before))
  expect(Y.createAbsolutePositionFromRelativePosition(position, doc)).toMatchObject({
    type: element,
    index: 0,
  })
})

test('a section goes up to the next heading of its level or a higher one', () => {
  const blocks = treeOf(
    textWith(
      paragraph('before'),
      heading(1, 'A'),
      paragraph('a'),
      heading(3, 'A.x'),
      heading(2, 'A.y'),
      paragraph('y'),
      heading(1, 'B'),
    ),
  )
  expect([0, 1, 3, 4, 6].map((index) => sectionAt(blocks, index))).toEqual([
    { from: 0, to: 1 },
    { from: 1, to: 6 },
    { from: 3, to: 4 },
    { from: 4, to: 6 },
    { from: 6, to: 7 },
  ])
})

test('headings stand under the nearest higher one, though levels are left out', () => {
  const text = textWith(...[2, 4, 3, 1, 3, 2].map((level, index) => heading(level, `${index}`)))
  const shape = (branches: readonly OutlineNode[]): unknown =>
    branches.map((branch) => [branch.heading.text, ...(shape(branch.children) as unknown[])])
  expect(shape(outlineOf(headingsOf(treeOf(text))))).toEqual([
    ['0', ['1'], ['2']],
    ['3', ['4'], ['5']],
  ])
})
