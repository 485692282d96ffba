import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { goalsIn, readGoal, setGoal } from './goal.ts'

test('a goal is stored until it is removed', () => {
  const desk = new Y.Doc()
  setGoal(desk, 'a', 500)
  expect(readGoal(goalsIn(desk).get('a'))).toEqual({ version: 1, words: 500 })
  expect(readGoal(goalsIn(desk).get('b'))).toBeNull()
  setGoal(desk, 'a', null)
  expect(readGoal(goalsIn(desk).get('a'))).toBeNull()
})

test.each([
  undefined,
  null,
  500,
  'x',
  { version: 2, words: 500 },
  { version: 1 },
  { version: 1, words: 0 },
  { version: 1, words: 1.5 },
  { version: 1, words: '500' },
  { version: 1, words: 1e12 },
])('%j is no goal', (value) => {
  expect(readGoal(value)).toBeNull()
})
