import { expect, test } from 'vitest'
import { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { OwnCaret } from './own-caret.ts'

/** A line of text with a caret as the editor reports it. */
function caretFixture(letters = 'some letters') {
  const doc = new Y.Doc()
  const text = new Y.XmlText(letters)
  doc.getXmlFragment('default').insert(0, [text])
  const awareness = new Awareness(doc)
  clearInterval(awareness._checkInterval)
  const caret = new OwnCaret(awareness)
  let updateCount = 0
  awareness.on('update', () => (updateCount += 1))
  const place = (index: number) => ({ type: text, index })
  const select = (from: number, to: number) => caret.publish({ anchor: place(from), head: place(to) })
  const moveTo = (index: number) => select(index, index)
  return {
    text,
    awareness,
    caret,
    moveTo,
    select,
    /** A key press: inserts the letter and moves the caret behind it. */
    type(index: number, letter: string) {
      text.insert(index, letter)
      moveTo(index + 1)
    },
    get updateCount() {
      return updateCount
    },
    /** Where other windows see the caret; null for nowhere. */
    get remoteCaret() {
      // The state as it arrives there.
      const { cursor } = JSON.parse(JSON.stringify(awareness.getLocalState() ?? {})) as {
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

test('a caret position is published once, even if it is reported again', () => {
  const fixture = caretFixture()
  fixture.moveTo(1)
  fixture.moveTo(1)
  fixture.moveTo(2)
  expect([fixture.updateCount, fixture.remoteCaret]).toEqual([2, [2, 2]])
})

test.each([
  ['in a line', 4],
  ['at its end', 12],
  ['at its beginning', 0],
])('letters typed %s move the caret for everybody without a message', (_where, from) => {
  const fixture = caretFixture()
  fixture.moveTo(from)
  for (const [n, letter] of ['a', 'b', 'c'].entries()) fixture.type(from + n, letter)
  expect([fixture.updateCount, fixture.remoteCaret]).toEqual([1, [from + 3, from + 3]])
  fixture.text.delete(from + 2, 1)
  fixture.moveTo(from + 2)
  expect([fixture.updateCount, fixture.remoteCaret]).toEqual([1, [from + 2, from + 2]])
})

test('when somebody else types at the caret, its own position is published', () => {
  const fixture = caretFixture()
  fixture.moveTo(12)
  fixture.text.insert(12, ' of theirs')
  fixture.moveTo(12)
  expect([fixture.updateCount, fixture.remoteCaret]).toEqual([2, [12, 12]])
})

test('a selection is published when either end moves', () => {
  const fixture = caretFixture()
  fixture.select(2, 5)
  fixture.select(2, 6)
  fixture.select(3, 6)
  fixture.select(3, 6)
  expect([fixture.updateCount, fixture.remoteCaret]).toEqual([3, [3, 6]])
})

test('[W6] a window without the focus shows no caret, whatever its editor reports, and shows it again when the focus returns', () => {
  const fixture = caretFixture()
  fixture.moveTo(1)
  fixture.caret.onWindowBlur()
  fixture.moveTo(1)
  fixture.moveTo(2)
  expect([fixture.updateCount, fixture.remoteCaret]).toEqual([2, null])
  fixture.caret.onWindowFocus()
  fixture.moveTo(2)
  expect([fixture.updateCount, fixture.remoteCaret]).toEqual([3, [2, 2]])
})

test('a window without a caret publishes no removal, and a window that left does not reappear by removing its caret', () => {
  const fixture = caretFixture()
  fixture.caret.onWindowBlur()
  expect(fixture.updateCount).toBe(0)
  fixture.caret.onWindowFocus()
  fixture.awareness.setLocalState(null)
  fixture.caret.publish(null)
  fixture.caret.onWindowBlur()
  expect([fixture.updateCount, fixture.remoteCaret]).toEqual([1, null])
})
