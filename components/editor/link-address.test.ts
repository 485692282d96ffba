import { expect, test } from 'vitest'
import { linkProblem, withScheme } from './link-address.ts'

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
