import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { editBetween, mapPosition, type TextDelta } from './title-edit.ts'

const apply = (text: string, { index, remove, insert }: ReturnType<typeof editBetween>) =>
  text.slice(0, index) + insert + text.slice(index + remove)

test('an edit turns the old text into the new one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
      expect(apply(before, editBetween(before, after, after.length))).toBe(after)
    }),
  )
})

test('the caret shows which of several equal letters was typed', () => {
  expect(editBetween('aa', 'aaa', 1)).toEqual({ index: 0, remove: 0, insert: 'a' })
  expect(editBetween('aa', 'aaa', 3)).toEqual({ index: 2, remove: 0, insert: 'a' })
})

test('a surrogate pair is never split', () => {
  expect(editBetween('😀', '😁', 2)).toEqual({ index: 0, remove: 2, insert: '😁' })
})

const deltaOf = (text: string, change: (shared: Y.Text) => void): TextDelta => {
  const shared = new Y.Doc().getText('title')
  shared.insert(0, text)
  let delta: TextDelta = []
  shared.observe((event) => (delta = event.delta as TextDelta))
  shared.doc!.transact(() => change(shared))
  return delta
}

test.each([
  ['in front of it', (shared: Y.Text) => shared.insert(0, 'xy'), 5],
  ['at it', (shared: Y.Text) => shared.insert(3, 'xy'), 3],
  ['behind it', (shared: Y.Text) => shared.insert(5, 'xy'), 3],
  ['deleted in front', (shared: Y.Text) => shared.delete(0, 2), 1],
  ['deleted around it', (shared: Y.Text) => shared.delete(2, 3), 2],
  ['deleted behind', (shared: Y.Text) => shared.delete(4, 2), 3],
])("a caret keeps its place when somebody's change is %s", (_case, change, expected) => {
  expect(mapPosition(3, deltaOf('abcdef', change))).toBe(expected)
})
