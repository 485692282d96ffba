import { expect, test } from 'vitest'
import { matchEdits, matchPaints } from './typed-windows.ts'

const keys = (count: number) => Array.from({ length: count }, (_, index) => 1000 + index * 10)
const edits = (...clocks: number[]) => ({
  author: 7,
  edits: clocks.map((clock, index) => ({
    clock,
    edited: 1001 + index * 10,
    sent: 1002 + index * 10,
    answered: 1005 + index * 10,
  })),
})
const arrivals = (...clocks: (number | [other: number])[]) =>
  clocks.map((clock, index) => ({
    clocks: [typeof clock === 'number' ? ([7, clock] as const) : ([8, clock[0]] as const)],
    applied: 1003 + index * 10,
    rendered: 1004 + index * 10,
    painted: 1008 + index * 10,
  }))
const paint = (letters: number, at: number) => ({ letters, at })

test('each key finds its edit’s arrival', () => {
  const times = { edited: 1, sent: 2, answered: 5, applied: 3, rendered: 4, painted: 8 }
  expect(matchEdits(keys(2), edits(1, 2), arrivals(1, 2))).toEqual([times, times])
})

test('changes by others are not taken for it, and edits that came together arrived together', () => {
  const times = matchEdits(keys(2), edits(3, 4), arrivals([9], 4)).map(({ applied }) => applied)
  expect(times).toEqual([13, 3])
})

test('an edit that did not arrive, one that arrived twice, or a key that made none, is no measurement', () => {
  expect(() => matchEdits(keys(2), edits(1, 2), arrivals(1))).toThrow('up to 2, and arrived up to 1')
  expect(() => matchEdits(keys(1), edits(1), arrivals(1, 2))).toThrow('up to 1, and arrived up to 2')
  expect(() => matchEdits(keys(2), edits(1), arrivals(1))).toThrow('2 keys made 1 edits')
})

test('each key finds the first paint that shows its letter, on one clock', () => {
  expect(matchPaints([1000, 1060], [paint(1, 1015), paint(2, 1080)], 5)).toEqual([20, 25])
})

test('letters that came together are painted together', () => {
  expect(matchPaints([0, 10, 20], [paint(2, 30), paint(3, 40)], 0)).toEqual([30, 20, 20])
})

test('a later paint of fewer letters is nobody’s', () => {
  expect(matchPaints([0, 10], [paint(1, 5), paint(0, 8), paint(1, 9), paint(2, 30)], 0)).toEqual([5, 20])
})

test('a letter that was not painted, or before its key, is no measurement', () => {
  expect(() => matchPaints([0, 10], [paint(1, 5)], 0)).toThrow('Letter 2 of 2 was not painted')
  expect(() => matchPaints([0, 10], [paint(2, 5)], 0)).toThrow('Letter 2 was painted -5 ms after its key')
  expect(() => matchPaints([0], [paint(1, 5)], Number.NaN)).toThrow('cannot be')
})
