import { expect, test } from 'vitest'
import { chosenName, isLinkCaller, shownName } from './link-caller.ts'

test.each([
  ['link:abc', 'Ada', 'Ada (by link)'],
  ['link:abc', 'Ada Wren ', 'Ada Wren (by link)'],
  ['user:abc', 'Ada', 'Ada'],
  ['guest', 'Guest', 'Guest'],
  [undefined, 'Guest', 'Guest'],
])('[W7] the screen shows %j, named %j, as %j', (id, name, shown) => {
  expect(shownName({ id, name })).toBe(shown)
  expect(chosenName(shown)).toBe(name.trim())
})

test.each([
  ['Ada\u202e', 'Ada (by link)'],
  ['\u2067Ada\u2069\u200f', 'Ada (by link)'],
  ['Ada\u3164\u3164 \u00a0\u2800\n', 'Ada (by link)'],
  ['Ada\u3164\u3164Wren', 'Ada Wren (by link)'],
  ['\u202e', 'Guest (by link)'],
])('[W7] no sign in the name %j hides the mark', (name, shown) => {
  expect(shownName({ id: 'link:abc', name })).toBe(shown)
  expect(shownName({ id: 'user:abc', name })).toBe(name)
})

test('a name that already ends with the mark is marked again', () => {
  expect(shownName({ id: 'link:abc', name: 'Ada (by link)' })).toBe('Ada (by link) (by link)')
  expect([isLinkCaller('link:abc'), isLinkCaller('user:abc'), isLinkCaller(7)]).toEqual([true, false, false])
})
