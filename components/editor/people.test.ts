import { expect, test } from 'vitest'
import { initialsOf, peopleOf } from './people.ts'

const window = (id: string, name: string) => ({ user: { id, name } })

test('[W6] several windows of one person are one entry, and oneself comes first', () => {
  const states = new Map<number, unknown>([
    [1, window('a', 'Ada')],
    [2, window('b', 'Zoe')],
    [3, window('b', 'Zoe')],
  ])
  expect(peopleOf(states, 3)).toEqual([
    { id: 'b', name: 'Zoe', windows: 2, self: true },
    { id: 'a', name: 'Ada', windows: 1, self: false },
  ])
})

test.each([[null], [{}], [{ user: 7 }], [{ user: { id: 3, name: {} } }], [{ user: { id: '', name: '  ' } }]])(
  'presence that says %j is a guest',
  (state) => {
    expect(peopleOf(new Map([[9, state]]), 1)).toEqual([
      { id: 'window:9', name: 'Guest', windows: 1, self: false },
    ])
  },
)

test.each([
  ['Ada Lovelace', 'AL'],
  ['ada', 'A'],
  ['Anna Maria von Berg', 'AB'],
  ['😀 Smile', '😀S'],
  ['  ', '?'],
])('the initials of %j are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
