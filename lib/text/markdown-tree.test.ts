import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect, test } from 'vitest'
import { createSeededRandom } from '../fixtures/seeded-random.ts'
import { parseMarkdownTree, TooMuchMarkdown } from './markdown-tree.ts'
import { mathOptions } from './math-syntax.ts'

/** Lines that begin, go on with or end what others are in. */
const lines = [
  '# h',
  'a',
  'b *c* d',
  '===',
  '---',
  '***',
  '| a | b |',
  '&amp;',
  '\uFEFFz',
  '\\[r]',
  '  ',
  '',
  '',
  '- x',
  '  - y',
  '1. n',
  '\t- tab',
  '    code',
  '> q',
  '> [r]: /u',
  '   > lazy',
  'lazy',
  '```',
  '~~~js',
  '$$',
  '<!-- c',
  '-->',
  '<div>',
  '</div>',
  '<pre>',
  '</pre>',
  '<details>',
  '[r]',
  '[r][s]',
  '[s]: </v> "t',
  'more"',
  '[ S ]',
  '![i][r]',
  '[long\nlabel]',
  '[long label]: x',
]
const ends = ['\n', '\n\n', '\n\n', '\r\n', '\r']

test('the tree is the same, however short the parts are', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = createSeededRandom(seed)
    const end = random.pick(ends)
    const source = `a${Array.from({ length: random.between(3, 30) }, () => end + random.pick(lines)).join('')}`
    const whole = fromMarkdown(source, mathOptions)
    expect(parseMarkdownTree(source, undefined, random.between(1, 60)).children, `seed ${seed}`).toEqual(
      whole.children,
    )
  }
})

test('a reference finds its definition in another part', () => {
  const [first] = parseMarkdownTree(`[a]\n\n${'b\n\n'.repeat(3_000)}[A]: /x\n`).children
  expect(first).toMatchObject({ children: [{ type: 'linkReference', identifier: 'a' }] })
})

test.each([
  ['nodes', 'a\n\n'.repeat(51)],
  ['definitions', '[a]: b\n'.repeat(11)],
  ['signs in a list', '- a\n'.repeat(101)],
  ['signs in a quote with blank lines', '> a\n>\n> b\n>\n'.repeat(30)],
])('past the limit of %s it is refused', (_what, source) => {
  const limits = { nodes: 101, definitions: 10, blockSigns: 100 }
  expect(() => parseMarkdownTree(source, limits, 20)).toThrow(TooMuchMarkdown)
})

test('lines of code between fences are no signs', () => {
  const source = `\`\`\`\n${'[*_`\n'.repeat(1_000)}\`\`\`\n`
  expect(parseMarkdownTree(source, { nodes: 9, definitions: 9, blockSigns: 100 }, 20).children).toHaveLength(
    1,
  )
})
