import { expect, test } from 'vitest'
import type { JsonNode } from '../blocks/json-node.ts'
import { parseMarkdown } from './from-markdown.ts'
import { fenceBlockMath } from './math-syntax.ts'

/** Formulas between angle brackets, all else as letters. */
const read = (source: string): string => parseMarkdown(source).blocks.map(shown).join(' ')

function shown({ type, attrs, text, content = [] }: JsonNode): string {
  if (type === 'inlineMath') return `<${String(attrs?.['latex'])}>`
  if (type === 'blockMath') return `<<${String(attrs?.['latex'])}>>`
  return text ?? content.map(shown).join('')
}

test.each([
  ['so $x^2$ is', 'so <x^2> is'],
  ['$a_1$, $b*c*d$ ($e$)', '<a_1>, <b*c*d> (<e>)'],
  ['**$x$**', '<x>'],
  ['x$`y`$z and $`` ` ``$', 'x<y>z and <`>'],
  ['$\\text{\\$5}$', '<\\text{\\$5}>'],
])('%j has formulas among its letters', (source, expected) => {
  expect(read(source)).toBe(expected)
})

test.each([
  'from $5 to $10',
  '$5,$10 and $20',
  '$HOME/$USER',
  'US$5 and US$6',
  '$ a$ and $b $',
  '$x',
  '$x\ny$',
  '$$',
  '$',
])('%j has none', (source) => {
  expect(read(source)).toBe(source.replace('\n', ' '))
})

test('what is escaped or stands in code is no formula', () => {
  expect(read('\\$x$ and `$x$`')).toBe('$x$ and $x$')
  expect(read('```\n$$\nx\n$$\n```')).toBe('$$\nx\n$$')
  expect(read('    $$\n    x\n    $$')).toBe('$$\nx\n$$')
})

test.each([
  ['$$\nx\n= y\n$$', '<<x\n= y>>'],
  ['a\n$$x$$\nb', 'a <<x>> b'],
  ['> $$\n> x\n> $$', '<<x>>'],
  ['- a\n  - b\n\n    $$\n    x\n    $$', 'ab<<x>>'],
  ['```math\nx\n```', '<<x>>'],
])('%j has a formula as a block', (source, expected) => {
  expect(read(source)).toBe(expected)
})

test('a block that never ends is no formula', () => {
  expect(fenceBlockMath('$$\nx\n\ny')).toBe('$$\nx\n\ny')
})

test.each(['$x', '$`x', '$$x', '$\\'])('%j is read twenty thousand times', (sign) => {
  expect(read(sign.repeat(20_000)).length).toBeGreaterThanOrEqual(20_000)
})
