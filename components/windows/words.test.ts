import { expect, test } from 'vitest'
import { windowNames } from './words.ts'

const opened = (id: string, openedAt: number, title = 'Plan') =>
  ({ id, kind: 'text', title, openedAt }) as const

test('windows of one name are told apart by a number, alike wherever the list is read', () => {
  const entries = [opened('c', 3), opened('other', 2, 'Notes'), opened('a', 1), opened('b', 3)]
  const names = windowNames(entries)
  expect(entries.map(({ id }) => names.get(id))).toEqual(['Plan (3)', 'Notes', 'Plan', 'Plan (2)'])
  expect(new Map(windowNames(entries.toReversed()))).toEqual(names)
})
