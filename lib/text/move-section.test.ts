import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import {
  heading,
  lineBreak,
  paragraph,
  type BlockSketch,
  sketchBlocks,
  textWith,
} from './fixtures/text-sketches.ts'
import { headingsOf, sectionAt } from './headings.ts'
import { canShiftSection, moveSection, indexAbove, indexBelow, shiftSection } from './move-section.ts'
import { treeOf } from './tree.ts'

const bold = { marks: { bold: {}, link: { href: 'https://example.org' } } }
const blocks = fc.array(
  fc.oneof(
    fc.tuple(fc.integer({ min: 1, max: 4 }), fc.string()).map(([level, text]) => heading(level, text)),
    fc.string().map((text) => paragraph(text, { text: 'bold', ...bold }, lineBreak)),
    fc.constant<BlockSketch>({ name: 'horizontalRule' }),
    fc.nat(2).map((checked): BlockSketch => ({
      name: 'taskList',
      children: [{ name: 'taskItem', attributes: { checked: checked > 0 }, children: [paragraph('task')] }],
    })),
  ),
  { minLength: 1, maxLength: 12 },
)

/** The blocks in the order that a move must produce, with marks and attributes. */
function expected(
  sketches: BlockSketch[],
  { from, to }: { from: number; to: number },
  before: number,
): BlockSketch[] {
  const moved = sketches.slice(from, to)
  const rest = (part: BlockSketch[]) => part.filter((block) => !moved.includes(block))
  return [...rest(sketches.slice(0, before)), ...moved, ...rest(sketches.slice(before))]
}

test('any move keeps every block with its letters, marks and attributes, and the order of the rest', () => {
  fc.assert(
    fc.property(blocks, fc.nat(), fc.nat(), (sketches, which, where) => {
      const fragment = textWith(...sketches)
      const before = where % (sketches.length + 1)
      const section = sectionAt(treeOf(fragment), which % sketches.length)
      const inside = before > section.from && before < section.to
      const was = sketchBlocks(fragment)
      const now = moveSection(fragment, section, before, null)
      expect(sketchBlocks(fragment)).toEqual(inside ? was : expected(was, section, before))
      expect(sketchBlocks(fragment)[now]).toEqual(was[section.from])
    }),
  )
})

test('a move is one transaction, which one undo reverts', () => {
  const fragment = textWith(heading(1, 'A'), paragraph('a'), heading(1, 'B'), paragraph('b'))
  const [was, undo] = [
    sketchBlocks(fragment),
    new Y.UndoManager(fragment, { trackedOrigins: new Set(['here']) }),
  ]
  let updates = 0
  fragment.doc!.on('update', () => (updates += 1))
  moveSection(fragment, { from: 0, to: 2 }, 4, 'here')
  expect(updates).toBe(1)
  expect(titles(fragment)).toEqual(['B', 'A'])
  undo.undo()
  expect(sketchBlocks(fragment)).toEqual(was)
})

test('the side with fewer letters is written anew; the other one keeps its types', () => {
  const fragment = textWith(
    heading(1, 'Long'),
    paragraph('x'.repeat(100)),
    heading(1, 'Short'),
    paragraph('y'),
  )
  const long = fragment.get(1)
  moveSection(fragment, { from: 0, to: 2 }, 4, null)
  expect(titles(fragment)).toEqual(['Short', 'Long'])
  expect(fragment.get(3)).toBe(long)
  moveSection(fragment, { from: 2, to: 4 }, 0, null)
  expect(titles(fragment)).toEqual(['Long', 'Short'])
  expect(fragment.get(1)).toBe(long)
})

test('in both windows, what is typed meanwhile in the longer side is kept', () => {
  const [here, there] = [
    textWith(heading(1, 'Long'), paragraph('x'.repeat(100)), heading(1, 'Short')),
    new Y.Doc().getXmlFragment('default'),
  ]
  exchange(here.doc!, there.doc!)
  moveSection(here, { from: 0, to: 2 }, 3, null)
  ;((there.get(1) as Y.XmlElement).get(0) as Y.XmlText).insert(0, 'typed ')
  exchange(here.doc!, there.doc!)
  expect(sketchBlocks(here)).toEqual(sketchBlocks(there))
  expect(titles(here)).toEqual(['Short', 'Long'])
  expect(JSON.stringify(sketchBlocks(here))).toContain('typed x')
})

test('an element that is no block does not disturb a move', () => {
  const fragment = textWith(heading(1, 'A'), heading(1, 'B'))
  fragment.insert(0, [new Y.XmlHook('stray') as unknown as Y.XmlText])
  moveSection(fragment, { from: 1, to: 2 }, 0, null)
  expect(titles(fragment)).toEqual(['B', 'A'])
})

/** Writes each line as a heading, indented by its level. */
const outline = (text: string) =>
  textWith(...text.split(' ').map((word) => heading(Number(word[1]), word[0]!)))

const outlineText = (fragment: Y.XmlFragment): string =>
  headingsOf(treeOf(fragment))
    .map(({ text, level }) => `${text}${level}`)
    .join(' ')

const moveByOne = (fragment: Y.XmlFragment, letter: string, way: 'up' | 'down'): boolean => {
  const tree = treeOf(fragment)
  const { index } = headingsOf(tree).find(({ text }) => text === letter)!
  const place = (way === 'up' ? indexAbove : indexBelow)(tree, index!)
  if (place !== null) moveSection(fragment, sectionAt(tree, index!), place, null)
  return place !== null
}

test.each([
  ['c', 'up', 'a1 b1 c1', 'a1 c1 b1'],
  ['c', 'down', 'a1 c1 b1', 'a1 b1 c1'],
  ['d', 'up', 'a1 b2 c1 d2', 'a1 b2 d2 c1'],
  ['d', 'down', 'a1 b2 d2 c1', 'a1 b2 c1 d2'],
  ['b', 'down', 'a1 b2 c1 d2', 'a1 c1 b2 d2'],
  ['b', 'up', 'a1 c1 b2 d2', 'a1 b2 c1 d2'],
  ['a', 'down', 'a1 b2 c1 d2', 'c1 d2 a1 b2'],
  ['b', 'down', 'a1 b3 c2 d3', 'a1 c2 b3 d3'],
] as const)('%s moved %s: %s becomes %s', (letter, way, from, to) => {
  const fragment = outline(from)
  expect(moveByOne(fragment, letter, way)).toBe(true)
  expect(outlineText(fragment)).toBe(to)
})

test.each([
  ['a', 'up', 'a1 b1'],
  ['b', 'down', 'a1 b1'],
  ['b', 'down', 'a1 b2 c3'],
] as const)('%s cannot go %s in %s', (letter, way, text) => {
  expect(moveByOne(outline(text), letter, way)).toBe(false)
})

test('a step up from any place is undone by a step down, as far as there are only headings', () => {
  const levels = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(levels, fc.nat(), (given, which) => {
      const letters = given.map((level, index) => `${'abcdefgh'[index]}${level}`)
      const fragment = outline(letters.join(' '))
      const letter = letters[which % letters.length]![0]!
      const was = outlineText(fragment)
      // After a lower heading it stands in the middle of that section: what stood under that one now stands under this one.
      fc.pre(followsSameLevel(given, which % given.length))
      if (moveByOne(fragment, letter, 'up')) moveByOne(fragment, letter, 'down')
      expect(outlineText(fragment)).toBe(was)
    }),
  )
})

/** Whether the heading before is not lower: then there is nothing between the two places. */
const followsSameLevel = (levels: readonly number[], index: number): boolean =>
  index > 0 && levels[index - 1]! <= levels[index]!

test('levels shift for a whole section, and not at all where one of them has no room', () => {
  const fragment = outline('a1 b2 c5 d1')
  const before = fragment.toArray()
  shiftSection(fragment, 0, 1, null)
  expect(outlineText(fragment)).toBe('a2 b3 c6 d1')
  expect(fragment.toArray()).toEqual(before)
  expect(canShiftSection(treeOf(fragment), 0, 1)).toBe(false)
  shiftSection(fragment, 0, 1, null)
  expect(outlineText(fragment)).toBe('a2 b3 c6 d1')
  expect((fragment.get(0) as Y.XmlElement).getAttribute('level')).toBe(2)
})

const titles = (fragment: Y.XmlFragment): string[] => headingsOf(treeOf(fragment)).map(({ text }) => text)

const exchange = (one: Y.Doc, other: Y.Doc): void => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    Y.applyUpdate(to, Y.encodeStateAsUpdate(from, Y.encodeStateVector(to)))
}

test('what another program put among the letters moves along', () => {
  const text = textWith(heading(1, 'one'), heading(1, 'two and more'))
  const line = (text.get(0) as Y.XmlElement).get(0) as Y.XmlText
  const mention = new Y.XmlElement('mention')
  line.insertEmbed(3, mention)
  mention.insert(0, [new Y.XmlText('Ada')])
  moveSection(text, { from: 0, to: 1 }, 2, null)
  expect(text.toJSON()).toMatch(/two.*one.*Ada/)
})
