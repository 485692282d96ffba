import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { encodeMissingText, encodeMissingUpdate } from './state-vector-diff.ts'

test('the content of what is deleted is left out, also what Undo keeps, and Undo brings it back for everybody', () => {
  const [doc, other] = [new Y.Doc(), new Y.Doc()]
  const text = doc.getText('trace')
  const undo = new Y.UndoManager(text, { captureTimeout: 0 })
  text.insert(0, 'kept')
  const stateVector = Y.encodeStateVector(doc)
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
  text.insert(4, 'y'.repeat(10_000))
  text.delete(4, 10_000)
  expect(encodeMissingUpdate(stateVector, doc).length).toBeGreaterThan(10_000)
  const missing = encodeMissingText(stateVector, doc)
  expect(missing.length).toBeLessThan(100)
  Y.applyUpdate(other, missing)
  expect(Y.encodeStateVector(other)).toEqual(Y.encodeStateVector(doc))
  expect(other.getText('trace').toJSON()).toBe('kept')
  undo.undo()
  Y.applyUpdate(other, encodeMissingUpdate(Y.encodeStateVector(other), doc))
  expect(other.getText('trace').toJSON()).toBe(text.toJSON())
  expect(text.length).toBe(10_004)
})
