import { expect, test } from 'vitest'
import { filterShowing } from './thread-filter.ts'

test('a thread that the list does not hold yet is shown among the open ones', () => {
  expect(filterShowing(undefined)).toBe('open')
  expect(filterShowing({})).toBe('open')
  expect(filterShowing({ resolved: { by: { id: 'ada', name: 'Ada' }, at: 0 } })).toBe('resolved')
})
