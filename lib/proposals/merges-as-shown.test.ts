import { expect, test } from 'vitest'
import { appendBlocks, paragraph, sketchBlocks } from '../text/fixtures/text-sketches.ts'
import { bodyOf, branch, type Edit, elementAt, replaceText, textAt } from './fixtures/branched-texts.ts'
import { mergesAsShown } from './merges-as-shown.ts'
import { changesOf } from './proposed-changes.ts'

const lines = ['one two three', 'four five six', 'seven eight nine'].map((line) => paragraph(line))

const appendLine =
  (line: string): Edit =>
  (doc) =>
    appendBlocks(bodyOf(doc), [paragraph(line)])

const moveFirstToEnd: Edit = (doc) => {
  const sketches = sketchBlocks(bodyOf(doc))
  bodyOf(doc).delete(0, 1)
  appendBlocks(bodyOf(doc), sketches.slice(0, 1))
}

const typeAnew =
  (word: string): Edit =>
  (doc) => {
    replaceText(0, word, word)(doc)
  }

const all =
  (...edits: readonly Edit[]): Edit =>
  (doc) => {
    for (const edit of edits) edit(doc)
  }

test.each<[string, boolean, Edit, Edit | undefined]>([
  ['an original that is as it was', true, replaceText(0, 'two', 'TWO'), undefined],
  [
    'an original that has gone on elsewhere',
    true,
    replaceText(0, 'two', 'TWO'),
    replaceText(2, 'nine', 'NINE'),
  ],
  ['other words of the same line', true, replaceText(0, 'two', 'TWO'), replaceText(0, 'three', 'THREE')],
  [
    'the same word in both, and another change',
    false,
    all(replaceText(0, 'two', 'TWO'), replaceText(1, 'five', 'FIVE')),
    replaceText(0, 'two', 'TWO'),
  ],
  [
    'the same line added by both',
    false,
    all(appendLine('new'), replaceText(0, 'two', 'TWO')),
    appendLine('new'),
  ],
  ['a word of a line that the original moved', false, replaceText(0, 'two', 'TWO'), moveFirstToEnd],
  ['a word that the original typed anew', false, replaceText(0, 'two', 'TWO'), typeAnew('two')],
  [
    'an attribute of a line that the original moved',
    false,
    (doc) => elementAt(doc, 0).setAttribute('textAlign', 'center'),
    moveFirstToEnd,
  ],
  [
    'a moved line in which the original has written',
    false,
    moveFirstToEnd,
    (doc) => textAt(doc, 0).insert('one two'.length, ' and a half'),
  ],
])('a merge of %s gives what is shown: %s', (_what, isAsShown, propose, goOn) => {
  const texts = branch(lines, propose, goOn)
  expect(mergesAsShown(texts, changesOf(texts))).toBe(isAsShown)
})
