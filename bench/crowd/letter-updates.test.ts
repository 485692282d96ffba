import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { encodeLetter, readLetters } from './letter-updates.ts'

const runsOf = (update: Uint8Array): number[][] => {
  const runs: number[][] = []
  readLetters(update, (...run) => runs.push(run))
  return runs
}

test('Yjs applies letters, each behind its author’s earlier ones', () => {
  const doc = new Y.Doc()
  for (const [client, clock] of [
    [900_000_001, 0],
    [900_000_002, 0],
    [900_000_001, 1],
  ] as const)
    Y.applyUpdate(doc, encodeLetter(client, clock))
  expect(doc.getText('crowd').length).toBe(3)
  expect(doc.store.pendingStructs).toBeNull()
})

test('a letter is read with its author and clock', () => {
  expect(runsOf(encodeLetter(7, 0))).toEqual([[7, 0, 1]])
  expect(runsOf(encodeLetter(4_000_000_000, 70_000))).toEqual([[4_000_000_000, 70_000, 1]])
})

test('an update that a server merged, or encoded anew from its document, has the same letters', () => {
  const letters = [encodeLetter(7, 0), encodeLetter(9, 0), encodeLetter(7, 1), encodeLetter(7, 2)]
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

test('an update with anything else is an error, not a wrong count', () => {
  const doc = new Y.Doc()
  doc.getMap('settings').set('a', 1)
  expect(() => runsOf(Y.encodeStateAsUpdate(doc))).toThrow('among letters')
  expect(() => runsOf(encodeLetter(7, 0).subarray(0, 3))).toThrow('too early')
})

test('several letters at once are read wherever they stand, also in a nested text', () => {
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
  // The state vector leaves out the array's own struct, which is no letter.
  expect(runsOf(Y.encodeStateAsUpdate(doc, before))).toEqual([[7, 7, 2]])
})
