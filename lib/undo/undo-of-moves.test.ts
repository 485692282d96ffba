/** Yjs has no move: who moves letters deletes them and writes copies. Undoing that must leave one of the two, whatever others did meanwhile. */
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { UndoFixture, type UndoWindow } from './fixtures/undo-fixture.ts'
import { insertParagraphs } from './undo.contract.ts'

/** Every edit until the undo is one step, unless the test ends it. */
const openWindow = (): UndoWindow => new UndoFixture().open({ captureMs: Infinity })

/** Moves all letters of the first block into a new one before it, as a wrapping does. */
function moveLetters({ doc, body }: UndoWindow): void {
  doc.transact(() => {
    const [from, to] = [body.get(0) as Y.XmlElement, new Y.XmlElement('blockquote')]
    const letters = (from.get(0) as Y.XmlText).toDelta() as object[]
    from.delete(0, from.length)
    const text = new Y.XmlText()
    text.applyDelta(letters)
    to.insert(0, [text])
    body.insert(0, [to])
  })
}

const lettersAt = (body: Y.XmlFragment, index: number): Y.XmlText =>
  (body.get(index) as Y.XmlElement).get(0) as Y.XmlText

/** Another person, on another device, edits the body. */
function editElsewhere({ doc }: UndoWindow, edit: (body: Y.XmlFragment) => void): void {
  const other = new Y.Doc()
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  edit(other.getXmlFragment('default'))
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other), 'server')
}

const deleteElsewhere = (window: UndoWindow, index: number): void =>
  editElsewhere(window, (body) => body.delete(index, 1))

test('takes the letters back where nothing has happened there', () => {
  const window = openWindow()
  insertParagraphs(window)
  window.undo.manager.stopCapturing()
  const before = window.body.toJSON()
  moveLetters(window)
  window.undo.undo()
  expect(window.body.toJSON()).toBe(before)
})

test('leaves the letters where they are once somebody else has deleted where they were', () => {
  const window = openWindow()
  insertParagraphs(window)
  window.undo.manager.stopCapturing()
  moveLetters(window)
  deleteElsewhere(window, 1)
  window.undo.undo()
  expect(window.text.split('one')).toHaveLength(2)
})

test('leaves them, too, where a later step has no effect any more and the undo goes on to the move', () => {
  const window = openWindow()
  insertParagraphs(window)
  window.undo.manager.stopCapturing()
  moveLetters(window)
  window.undo.manager.stopCapturing()
  ;(window.body.get(2) as Y.XmlElement).setAttribute('checked', 'true')
  deleteElsewhere(window, 2)
  deleteElsewhere(window, 1)
  window.undo.undo()
  expect(window.text).toBe('<blockquote>one</blockquote>')
})

test('leaves copies that are cut in other places than the letters were', () => {
  const window = openWindow()
  const own = new Y.XmlText('!')
  const block = new Y.XmlElement('paragraph')
  block.insert(0, [own])
  window.body.insert(0, [block])
  window.undo.manager.clear()
  window.undo.manager.stopCapturing()
  own.insert(1, '?')
  editElsewhere(window, (body) => lettersAt(body, 0).insert(1, 'theirs'))
  moveLetters(window)
  lettersAt(window.body, 0).insert(3, '-')
  deleteElsewhere(window, 1)
  window.undo.undo()
  expect(window.text).toMatch(/!th.*eirs/)
})

test('leaves copies of letters of which the step deleted some before', () => {
  const window = openWindow()
  insertParagraphs(window)
  window.undo.manager.stopCapturing()
  lettersAt(window.body, 0).delete(1, 1)
  moveLetters(window)
  deleteElsewhere(window, 1)
  window.undo.undo()
  expect(window.text).toContain('<blockquote>oe</blockquote>')
})
