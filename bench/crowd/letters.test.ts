import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { letter, readLetters } from './letters.ts'

const runsOf = (update: Uint8Array): number[][] => {
  const runs: number[][] = []
  readLetters(update, (...run) => runs.push(run))
  return runs
}

test('letters are updates that Yjs takes in, in the place of their author', () => {
  const doc = new Y.Doc()
  for (const [client, clock] of [
    [900_000_001, 0],
    [900_000_002, 0],
    [900_000_001, 1],
  ] as const)
    Y.applyUpdate(doc, letter(client, clock))
  expect(doc.getText('crowd').length).toBe(3)
  expect(doc.store.pendingStructs).toBeNull()
})

test('a letter is found by its author and clock', () => {
  expect(runsOf(letter(7, 0))).toEqual([[7, 0, 1]])
  expect(runsOf(letter(4_000_000_000, 70_000))).toEqual([[4_000_000_000, 70_000, 1]])
})

test('what a server merged, or wrote anew from its document, holds the same letters', () => {
  const letters = [letter(7, 0), letter(9, 0), letter(7, 1), letter(7, 2)]
  const doc = new Y.Doc()
  for (const update of letters) Y.applyUpdate(doc, update)
  for (const merged of [Y.mergeUpdates(letters), Y.encodeStateAsUpdate(doc)]) {
    const found = new Map<number, number>()
    for (const [client, clock, length] of runsOf(merged) as [number, number, number][]) {
      expect(clock).toBe(found.get(client) ?? 0)
      found.set(client, clock + length)
    }
    expect(Object.fromEntries(found)).toEqual({ 7: 3, 9: 1 })
  }
})

test('anything else is an error, not a wrong count', () => {
  const doc = new Y.Doc()
  doc.getMap('settings').set('a', 1)
  expect(() => runsOf(Y.encodeStateAsUpdate(doc))).toThrow('among letters')
  expect(() => runsOf(letter(7, 0).subarray(0, 3))).toThrow('too early')
})

test('several letters at once are found wherever they were put, and in a text that lies in another', () => {
  const doc = new Y.Doc()
  doc.clientID = 7
  const text = doc.getText('crowd')
  text.insert(0, 'abc')
  text.insert(0, 'de') // before all, with a right neighbour alone
  text.insert(1, 'f') // between two
  let next = 0
  for (const [client, clock, length] of runsOf(Y.encodeStateAsUpdate(doc)) as [number, number, number][]) {
    expect([client, clock]).toEqual([7, next])
    next += length
  }
  expect(next).toBe(6)
  const inner = new Y.Text()
  doc.getArray('texts').insert(0, [inner])
  const before = Y.encodeStateVector(doc)
  inner.insert(0, 'gh')
  // Without the deletions, which letters have none of.
  expect(runsOf(Y.encodeStateAsUpdate(doc, before))).toEqual([[7, 7, 2]])
})
