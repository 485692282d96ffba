import { expect, test } from 'vitest'
import { linkProblem, safeHref, withScheme } from './link-address.ts'

test.each([
  ['example.org', 'https://example.org'],
  ['localhost:3000/d', 'https://localhost:3000/d'],
  ['http://example.org', 'http://example.org'],
  ['mailto:a@example.org', 'mailto:a@example.org'],
  ['/d/other', '/d/other'],
  ['#part', '#part'],
])('%s becomes %s', (typed, address) => {
  expect(withScheme(typed)).toBe(address)
  expect(linkProblem(typed)).toBeNull()
})

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
])('%s is refused, and the sentence names the scheme', (typed) => {
  expect(linkProblem(typed)).toContain(typed.slice(0, typed.indexOf(':')).toLowerCase())
})

test.each(['', 'https://'])('%j is no address', (typed) => {
  expect(linkProblem(typed)).toBeTruthy()
})

test.each([
  'https://example.org/a?b#c',
  'HTTP://example.org',
  'mailto:a@example.org',
  'tel:+491234',
  '/d/other',
  '#part',
  'example.org',
  '//example.org',
])('%j leads somewhere, and stays as it is', (href) => {
  expect(safeHref(href)).toBe(href)
})

test.each<[unknown]>([
  ['javascript:alert(1)'],
  ['JavaScript:alert(1)'],
  ['java\nscript:alert(1)'],
  ['java\tscript:alert(1)'],
  ['\u0000 javascript:alert(1)'],
  ['  javascript:alert(1)'],
  ['data:text/html,x'],
  ['vbscript:x'],
  ['blob:https://example.org/x'],
  ['file:///etc/passwd'],
  ['ftp://example.org'],
  ['https://'],
  ['http://a b'],
  [''],
  ['  '],
  [null],
  [undefined],
  [7],
  [{ toString: () => 'https://example.org' }],
])('%j in a shared text leads nowhere', (href) => {
  expect(safeHref(href)).toBeNull()
})
