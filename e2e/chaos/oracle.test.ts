import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { complaints, countIn, type Fate } from './oracle.ts'

const docOf = (text: string): Y.Doc => {
  const doc = new Y.Doc()
  doc.getText('tokens').insert(0, text)
  return doc
}

const ledger = (fates: Record<string, Fate>): Map<string, Fate> => new Map(Object.entries(fates))
const ada = ledger({ 'a1;': 'saved', 'a2;': 'deleted', 'a3;': 'saved', 'a4;': 'deleting', 'a5;': 'said' })
const bob = ledger({ 'b1;': 'saved' })

test.each([
  ['all that was said', 'a1;b1;a3;a4;a5;', []],
  ['nothing of what was not acknowledged', 'b1;a1;a3;', []],
  ['an acknowledged token lost', 'a1;a5;b1;', ['a3; was saved and is there 0 times']],
  ['a token doubled', 'a1;a3;a5;a5;b1;', ['a5; was said and is there 2 times']],
  ['a deleted token back again', 'a1;a2;a3;b1;', ['a2; was deleted and is there 1 times']],
  ['a token nobody wrote', 'a1;a3;b1;e9;', ['nobody wrote e9;']],
  ['a token torn', 'a1;a3;b1;b', ['nobody wrote b']],
  ['an author’s order broken', 'a3;a1;b1;', ['out of order: a3;a1;']],
])('%s', (_what, text, expected) => {
  expect(complaints(docOf(text), [ada, bob])).toEqual(expected)
})

test('what is lost and what is doubled is counted in every text', () => {
  const said = [ledger({ 'a1;': 'saved', 'a2;': 'said' }), ledger({ 'b1;': 'saved' })]
  expect(countIn([docOf('a1;b1;a2;'), docOf('b1;a2;a1;')], said)).toEqual({ lost: 0, doubled: 0 })
  expect(countIn([docOf('a1;a1;a1;b1;'), docOf('a2;')], said)).toEqual({ lost: 3, doubled: 2 })
})

test('what waits for text that is not there', () => {
  const doc = docOf('a1;')
  const before = Y.encodeStateVector(doc)
  doc.getText('tokens').insert(3, 'a3;')
  const lacking = new Y.Doc()
  Y.applyUpdate(lacking, Y.encodeStateAsUpdate(doc, before))
  expect(complaints(lacking, [])).toEqual(['structs are pending'])
})
