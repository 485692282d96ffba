import * as Y from 'yjs'
import { expect, test } from 'vitest'
import { findMatches, patternOf, replacementOf } from './find.ts'
import {
  lineBreak,
  paragraph,
  type BlockSketch,
  type RunSketch,
  sketchBlocks,
  textWith,
} from './fixtures/text-sketches.ts'
import { linesOf } from './lines.ts'
import { replaceMatches } from './replace.ts'
import { treeOf } from './tree.ts'

const linesIn = (fragment: Y.XmlFragment) => linesOf(treeOf(fragment))

/** Replaces what a regular expression finds, in one transaction. */
function replace(fragment: Y.XmlFragment, text: string, by: string, origin?: string): number {
  const pattern = patternOf({ text, regularExpression: true, matchCase: true, wholeWords: false })!
  const lines = linesIn(fragment)
  const { matches } = findMatches(lines.texts, pattern)
  const replacements = matches.map((match) => ({ match, by: replacementOf(match, by, true) }))
  return fragment.doc!.transact(() => replaceMatches(lines, replacements), origin)
}

const bold = (text: string): RunSketch => ({ text, marks: { bold: {} } })

test.each<[string, BlockSketch[], string, string, BlockSketch[]]>([
  ['each match of a line', [paragraph('one, one, one')], 'one', 'three', [paragraph('three, three, three')]],
  ['in every line', [paragraph('ab'), paragraph('cb')], 'b', '', [paragraph('a'), paragraph('c')]],
  [
    'with its marks',
    [paragraph('a ', bold('red'), ' rose')],
    'red',
    'white',
    [paragraph('a ', bold('white'), ' rose')],
  ],
  [
    'with the marks of its first letter where it has several',
    [paragraph('a ', bold('re'), 'd rose')],
    'red',
    'white',
    [paragraph('a ', bold('white'), ' rose')],
  ],
  [
    'keeping the marks of letters that stay',
    [paragraph('colo', bold('u'), 'r')],
    'colour',
    'colours',
    [paragraph('colo', bold('u'), 'rs')],
  ],
  [
    'with longer words in bold',
    [paragraph('a', bold('b'), 'c')],
    'b',
    'bbb',
    [paragraph('a', bold('bbb'), 'c')],
  ],
  ['with longer words before it', [paragraph('a', bold('b'))], 'b', 'xb', [paragraph('a', bold('xb'))]],
  ['signs of two units', [paragraph('😀 and 😁')], '😀', '😂', [paragraph('😂 and 😁')]],
  ['across a line break', [paragraph('a b', lineBreak, 'c d')], 'b\\nc', 'x', [paragraph('a x', ' d')]],
  ['a line break', [paragraph('a', lineBreak, 'b')], '\\n', ', ', [paragraph('a, ', 'b')]],
  ['a line break at the start', [paragraph(lineBreak, 'b')], '\\nb', '->', [paragraph('->', '')]],
  ['several line breaks', [paragraph('a', lineBreak, 'b', lineBreak, 'c')], '\\n', '', [paragraph('abc')]],
])('replaces %s', (_title, before, text, by, after) => {
  const fragment = textWith(...before)
  replace(fragment, text, by)
  expect(merged(sketchBlocks(fragment))).toEqual(merged(sketchBlocks(textWith(...after))))
})

/** Joins neighbouring text nodes, which look like one. */
const merged = (sketches: readonly BlockSketch[]) =>
  sketches.map(({ children = [], ...rest }) => ({ ...rest, runs: joinRuns(children) }))

function joinRuns(children: readonly (BlockSketch | RunSketch)[]): unknown[] {
  const runs: (BlockSketch | RunSketch)[] = []
  for (const child of children) {
    const last = runs.at(-1)
    if (
      last &&
      'text' in last &&
      'text' in child &&
      JSON.stringify(last.marks) === JSON.stringify(child.marks)
    )
      runs[runs.length - 1] = { ...last, text: last.text + child.text }
    else runs.push(child)
  }
  return runs.filter((run) => !('text' in run) || run.text !== '')
}

test('letters that stay keep their identity, and so does a position after them', () => {
  const fragment = textWith(paragraph('the colour red'))
  const { type } = treeOf(fragment)[0]!.children[0]!
  const position = Y.createRelativePositionFromTypeIndex(type, 8)
  replace(fragment, 'colour', 'color')
  expect(linesIn(fragment).texts).toEqual(['the color red'])
  expect(Y.createAbsolutePositionFromRelativePosition(position, fragment.doc!)?.index).toBe(8)
})

test('replacing all is one step of undo', () => {
  const fragment = textWith(paragraph('one ', bold('one'), ' one'), paragraph('one 😀'))
  const before = sketchBlocks(fragment)
  const undo = new Y.UndoManager(fragment, { trackedOrigins: new Set(['find']) })
  expect(replace(fragment, 'one|😀', 'three', 'find')).toBe(5)
  expect(linesIn(fragment).texts).toEqual(['three three three', 'three three'])
  undo.undo()
  expect(sketchBlocks(fragment)).toEqual(before)
})

test('a match whose text has changed is left alone', () => {
  const fragment = textWith(paragraph('one two'), paragraph('one'))
  const pattern = patternOf({ text: 'one', regularExpression: false, matchCase: true, wholeWords: false })!
  const { matches } = findMatches(linesIn(fragment).texts, pattern)
  ;(treeOf(fragment)[0]!.children[0]!.type as Y.XmlText).insert(0, 'now ')
  const count = replaceMatches(
    linesIn(fragment),
    [...matches, { ...matches[0]!, line: 7 }].map((match) => ({ match, by: 'three' })),
  )
  expect(count).toBe(1)
  expect(linesIn(fragment).texts).toEqual(['now one two', 'three'])
})
