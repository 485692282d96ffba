import { expect, test } from 'vitest'
import { distinctWindowNames } from './window-text.ts'

const entryOf = (id: string, openedAt: number, title = 'Plan') =>
  ({ id, kind: 'text', title, openedAt }) as const

test("windows of one name differ by a number, the same in every window's list", () => {
  const entries = [entryOf('c', 3), entryOf('other', 2, 'Notes'), entryOf('a', 1), entryOf('b', 3)]
  const names = distinctWindowNames(entries)
  expect(entries.map(({ id }) => names.get(id))).toEqual(['Plan (3)', 'Notes', 'Plan', 'Plan (2)'])
  expect(new Map(distinctWindowNames(entries.toReversed()))).toEqual(names)
})
