import { expect, test } from 'vitest'
import { readListPage } from './list-page.ts'

const pageOf = (total: number) =>
  readListPage(
    3,
    async (rows) => Array.from({ length: Math.min(rows, total) }, (_, index) => index + 1),
    (last) => `after ${last}`,
  )

test.each([
  [0, [], null],
  [2, [1, 2], null],
  [3, [1, 2, 3], null],
  [4, [1, 2, 3], 'after 3'],
  [9, [1, 2, 3], 'after 3'],
])('of %i rows a page of three shows %j and goes on with %j', async (total, shown, next) => {
  expect(await pageOf(total)).toEqual({ shown, next })
})
