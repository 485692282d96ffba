import { expect, test } from 'vitest'
import { match } from './match.ts'

const paint = (letters: number, at: number) => ({ letters, at })

test('each key finds the first paint that shows its letter, on one clock', () => {
  expect(match([1000, 1060], [paint(1, 1015), paint(2, 1080)], 5)).toEqual([20, 25])
})

test('letters that came together are painted together', () => {
  expect(match([0, 10, 20], [paint(2, 30), paint(3, 40)], 0)).toEqual([30, 20, 20])
})

test('a later paint of fewer letters is nobody’s', () => {
  expect(match([0, 10], [paint(1, 5), paint(0, 8), paint(1, 9), paint(2, 30)], 0)).toEqual([5, 20])
})

test('a letter that was not painted, or before its key, is no measurement', () => {
  expect(() => match([0, 10], [paint(1, 5)], 0)).toThrow('Letter 2 of 2 was not painted')
  expect(() => match([0, 10], [paint(2, 5)], 0)).toThrow('Letter 2 was painted -5 ms after its key')
  expect(() => match([0], [paint(1, 5)], Number.NaN)).toThrow('cannot be')
})
