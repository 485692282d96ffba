import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { findViolations, countLosses, type TokenState } from './oracle.ts'

const docOf = (text: string): Y.Doc => {
  const doc = new Y.Doc()
  doc.getText('tokens').insert(0, text)
  return doc
}

const ledger = (states: Record<string, TokenState>): Map<string, TokenState> =>
  new Map(Object.entries(states))
const ledgerOfAda = ledger({
  'a1;': 'saved',
  'a2;': 'deleted',
  'a3;': 'saved',
  'a4;': 'deleting',
  'a5;': 'said',
})
const ledgerOfBob = ledger({ 'b1;': 'saved' })

test.each([
  ['everything that was written', 'a1;b1;a3;a4;a5;', []],
  ['only acknowledged tokens', 'b1;a1;a3;', []],
  ['an acknowledged token lost', 'a1;a5;b1;', ['a3; was saved and is there 0 times']],
  ['a token doubled', 'a1;a3;a5;a5;b1;', ['a5; was said and is there 2 times']],
  ['a deleted token back again', 'a1;a2;a3;b1;', ['a2; was deleted and is there 1 times']],
  ['a token nobody wrote', 'a1;a3;b1;e9;', ['nobody wrote e9;']],
  ['a token torn', 'a1;a3;b1;b', ['nobody wrote b']],
  ['an author’s order broken', 'a3;a1;b1;', ['out of order: a3;a1;']],
])('%s', (_what, text, expected) => {
  expect(findViolations(docOf(text), [ledgerOfAda, ledgerOfBob])).toEqual(expected)
})

test('losses and duplicates are counted in every text', () => {
  const ledgers = [ledger({ 'a1;': 'saved', 'a2;': 'said' }), ledger({ 'b1;': 'saved' })]
  expect(countLosses([docOf('a1;b1;a2;'), docOf('b1;a2;a1;')], ledgers)).toEqual({ lost: 0, doubled: 0 })
  expect(countLosses([docOf('a1;a1;a1;b1;'), docOf('a2;')], ledgers)).toEqual({ lost: 3, doubled: 2 })
})

test('structs that wait for missing text are a violation', () => {
  const doc = docOf('a1;')
  const before = Y.encodeStateVector(doc)
  doc.getText('tokens').insert(3, 'a3;')
  const lacking = new Y.Doc()
  Y.applyUpdate(lacking, Y.encodeStateAsUpdate(doc, before))
  expect(findViolations(lacking, [])).toEqual(['structs are pending'])
})
