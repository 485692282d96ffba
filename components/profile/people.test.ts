import { expect, test } from 'vitest'
import { initialsOf, peopleOf } from './people.ts'

const presenceOf = (id: string, name: string, more: object = {}) => ({ user: { id, name }, ...more })

const defaultPerson = { colour: expect.any(String), idle: false, hasCaret: false, follows: null }

test("[W6] several windows of one person are listed under one entry, and this window's person comes first", () => {
  const states = new Map<number, unknown>([
    [1, presenceOf('a', 'Ada')],
    [2, presenceOf('b', 'Zoe', { window: { kind: 'text', device: 'Chrome on Linux' } })],
    [3, presenceOf('b', 'Zoe', { window: { kind: 'outline', device: 'Safari on iPad' } })],
  ])
  expect(peopleOf(states, 3)).toEqual([
    {
      ...defaultPerson,
      id: 'b',
      name: 'Zoe',
      self: true,
      windows: [
        { kind: 'text', device: 'Chrome on Linux' },
        { kind: 'outline', device: 'Safari on iPad' },
      ],
    },
    { ...defaultPerson, id: 'a', name: 'Ada', windows: [{}], self: false },
  ])
})

test('[W4] a person is idle when all their windows are, not when only one of them is', () => {
  const idle = { idle: true }
  const states = new Map<number, unknown>([
    [1, presenceOf('a', 'Ada', idle)],
    [2, presenceOf('a', 'Ada')],
    [3, presenceOf('b', 'Zoe', idle)],
    [4, presenceOf('b', 'Zoe', idle)],
  ])
  expect(peopleOf(states, 9).map((person) => [person.name, person.idle])).toEqual([
    ['Ada', false],
    ['Zoe', true],
  ])
})

test('a person has a caret if one of their windows shows one, and follows whom one of their windows follows', () => {
  const states = new Map<number, unknown>([
    [1, presenceOf('a', 'Ada', { cursor: { anchor: {}, head: {} } })],
    [2, presenceOf('a', 'Ada', { cursor: null, follows: 'b' })],
  ])
  expect(peopleOf(states, 9)).toMatchObject([{ hasCaret: true, follows: 'b' }])
})

test.each([
  [null],
  [{}],
  [{ user: 7 }],
  [{ user: { id: 3, name: {} }, window: 'text', follows: {} }],
  [{ user: { id: '', name: '  ' }, window: { kind: 'kitchen', device: 4 }, idle: 'yes' }],
])('a window whose presence is %j is shown as a guest', (state) => {
  expect(peopleOf(new Map([[9, state]]), 1)).toEqual([
    { ...defaultPerson, id: 'window:9', name: 'Guest', windows: [{}], self: false },
  ])
})

test.each([
  ['Ada Lovelace', 'AL'],
  ['ada', 'A'],
  ['Anna Maria von Berg', 'AB'],
  ['😀 Smile', '😀S'],
  ['  ', '?'],
])('the initials of %j are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
