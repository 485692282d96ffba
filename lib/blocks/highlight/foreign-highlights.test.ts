import { expect, test } from 'vitest'
import { highlightColorOfCss } from './foreign-highlights.ts'

test.each([
  ['yellow', 'yellow'],
  ['#ffff00', 'yellow'],
  ['#fff2cc', 'yellow'],
  ['#f9cb9c', 'yellow'],
  ['lime', 'green'],
  ['#d9ead3', null],
  ['#b6d7a8', 'green'],
  ['aqua', 'blue'],
  ['rgb(159, 197, 232)', 'blue'],
  ['#f4cccc', 'pink'],
  ['fuchsia', 'pink'],
  ['white', null],
  ['transparent', null],
  ['#f5f5f5', null],
  ['#000080', null],
  ['url(x)', null],
  ['rgb(1e9, 2, 3)', null],
  ['constructor', null],
])('letters on %s are highlighted in %s', (css, color) => {
  expect(highlightColorOfCss(css)).toBe(color)
})
