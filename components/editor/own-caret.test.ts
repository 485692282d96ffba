import { expect, test } from 'vitest'
import { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { OwnCaret } from './own-caret.ts'

/** A line of text, and a caret in it as the editor's binding tells of one: anchored to the letter before it. */
function caretFixture(letters = 'some letters') {
  const doc = new Y.Doc()
  const text = new Y.XmlText(letters)
  doc.getXmlFragment('default').insert(0, [text])
  const real = new Awareness(doc)
  clearInterval(real._checkInterval)
  const caret = new OwnCaret(real)
  caret.awareness.setLocalStateField('user', { name: 'Ada' })
  let updateCount = 0
  caret.awareness.on('update', () => (updateCount += 1))
  const position = (index: number) => Y.createRelativePositionFromTypeIndex(text, index, -1)
  const select = (from: number, to: number) =>
    caret.awareness.setLocalStateField('cursor', { anchor: position(from), head: position(to) })
  const moveTo = (index: number) => select(index, index)
  return {
    text,
    caret,
    at: moveTo,
    select,
    /** A key: the letter, and the caret behind it. */
    type(index: number, letter: string) {
      text.insert(index, letter)
      moveTo(index + 1)
    },
    get told() {
      return updateCount
    },
    /** Where others see it; null: nowhere. */
    get remoteCaret() {
      // As it comes to them.
      const { cursor } = JSON.parse(JSON.stringify(real.getLocalState() ?? {})) as {
        cursor?: PresenceCursor | null
      }
      return cursor ? ([cursor.anchor, cursor.head] as const).map((json) => indexOf(doc, json)) : null
    },
  }
}

interface PresenceCursor {
  readonly anchor: unknown
  readonly head: unknown
}

const indexOf = (doc: Y.Doc, json: unknown) =>
  Y.createAbsolutePositionFromRelativePosition(Y.createRelativePositionFromJSON(json), doc)?.index

test('where the caret is told once, though it is said again', () => {
  const fixture = caretFixture()
  fixture.at(1)
  fixture.at(1)
  fixture.at(2)
  expect([fixture.told, fixture.remoteCaret]).toEqual([2, [2, 2]])
})

test.each([
  ['in a line', 4],
  ['at its end', 12],
  ['at its beginning', 0],
])('letters typed %s move the caret for everybody, and nothing is told of it', (_where, from) => {
  const fixture = caretFixture()
  fixture.at(from)
  for (const [n, letter] of ['a', 'b', 'c'].entries()) fixture.type(from + n, letter)
  expect([fixture.told, fixture.remoteCaret]).toEqual([1, [from + 3, from + 3]])
  fixture.text.delete(from + 2, 1)
  fixture.at(from + 2)
  expect([fixture.told, fixture.remoteCaret]).toEqual([1, [from + 2, from + 2]])
})

test('where somebody else types at the caret, it is told where it stayed', () => {
  const fixture = caretFixture()
  fixture.at(12)
  fixture.text.insert(12, ' of theirs')
  fixture.at(12)
  expect([fixture.told, fixture.remoteCaret]).toEqual([2, [12, 12]])
})

test('a selection is told when either end moves', () => {
  const fixture = caretFixture()
  fixture.select(2, 5)
  fixture.select(2, 6)
  fixture.select(3, 6)
  fixture.select(3, 6)
  expect([fixture.told, fixture.remoteCaret]).toEqual([3, [3, 6]])
})

test('[W6] a window without the keyboard shows no caret, whatever its editor says, and shows it again when it comes back', () => {
  const fixture = caretFixture()
  fixture.at(1)
  fixture.caret.onWindowBlur()
  fixture.at(1)
  fixture.at(2)
  expect([fixture.told, fixture.remoteCaret]).toEqual([2, null])
  fixture.caret.onWindowFocus()
  fixture.at(2)
  expect([fixture.told, fixture.remoteCaret]).toEqual([3, [2, 2]])
})

test('a window that never had a caret has nothing to take back, and one that said goodbye does not come back by it', () => {
  const fixture = caretFixture()
  fixture.caret.onWindowBlur()
  expect(fixture.told).toBe(0)
  fixture.caret.onWindowFocus()
  fixture.caret.awareness.setLocalState(null)
  fixture.caret.awareness.setLocalStateField('cursor', null)
  fixture.caret.onWindowBlur()
  expect([fixture.told, fixture.remoteCaret]).toEqual([1, null])
})
