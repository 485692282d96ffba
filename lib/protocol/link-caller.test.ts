import { expect, test } from 'vitest'
import { chosenName, isLinkCaller, shownName } from './link-caller.ts'

test.each([
  ['link:abc', 'Ada', 'Ada (by link)'],
  ['link:abc', 'Ada Wren ', 'Ada Wren (by link)'],
  ['user:abc', 'Ada', 'Ada'],
  ['guest', 'Guest', 'Guest'],
  [undefined, 'Guest', 'Guest'],
])('[W7] of %j who is called %j the screen says %j', (id, name, shown) => {
  expect(shownName({ id, name })).toBe(shown)
  expect(chosenName(shown)).toBe(name.trim())
})

test('a name that is marked by its own is marked again', () => {
  expect(shownName({ id: 'link:abc', name: 'Ada (by link)' })).toBe('Ada (by link) (by link)')
  expect([isLinkCaller('link:abc'), isLinkCaller('user:abc'), isLinkCaller(7)]).toEqual([true, false, false])
})
