import { Node, Schema } from '@tiptap/pm/model'
import { prosemirrorToYXmlFragment } from '@tiptap/y-tiptap'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import type { JsonNode } from '../blocks/json-node.ts'
import { parseMarkdown } from './from-markdown.ts'
import { markdownOf } from './markdown.ts'
import { treeOf } from './tree.ts'
import { textSchemaSpec } from '../blocks/text-schema.ts'

const schema = new Schema(textSchemaSpec)

/** Parses into the text's schema, or throws. */
function docOf(source: string): Node {
  const { blocks } = parseMarkdown(source)
  const doc = Node.fromJSON(schema, { type: 'doc', content: blocks })
  doc.check()
  return doc
}

function roundTripped(source: string): string {
  const fragment = new Y.Doc().getXmlFragment('default')
  prosemirrorToYXmlFragment(docOf(source), fragment)
  return markdownOf(treeOf(fragment))
}

test.each([
  '# Title\n\nText with **bold**, *italic*, ~~struck~~, `code` and <u>underlined</u> letters.\n',
  '- a\n  - b\n    - c\n- d\n',
  '3. a\n4. b\n',
  '- [ ] todo\n- [x] done\n  - [ ] part\n',
  '> a\n>\n> - b\n',
  '```ts\nconst a = 1\n\nconst b = 2\n```\n',
  '***\n',
  'a\\\nb\n',
  '[**here**](https://example.org/a) and [mail](mailto:ada@example.org)\n',
  '#### Deep\n',
  '**~~bold and struck~~** <u>~~and underlined~~</u>\n',
  'a \\* b \\~\\~c\\~\\~ \\[ ] d\n',
  '<mark>a</mark> <mark data-color="green">b</mark>, H<sub>2</sub>O, x<sup>2</sup> and a \\==c==, a==b==c\n',
  '<u><mark>a</mark> b</u>\n',
  'a\\\n$e^2$ and\\\n<time>2026-11-28</time>\\\n<u>b</u>\n',
  '\\\n$e^2$\n',
])('%j stays the same when it is parsed and written again', (source) => {
  expect(roundTripped(source)).toBe(source)
})

const text = (letters: string, ...marks: string[]): JsonNode => ({
  type: 'text',
  text: letters,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
})

test('tasks among bullets get a list of their own, and an escaped box is text', () => {
  expect(docOf('- a\n- [x] b\n- \\[ ] c\n').childCount).toBe(3)
  expect(roundTripped('- \\[ ] c\n')).toBe('- \\[ ] c\n')
})

test('an image keeps nothing, in a table neither', () => {
  const { blocks, lost } = parseMarkdown('| a |\n|---|\n| ![x](y.png) |\n\n![x](z.png)\n')
  expect(lost).toEqual({ table: 0, image: 2 })
  expect(blocks.map(({ type }) => type)).toEqual(['table'])
})

test('a picture at an address elsewhere becomes a card alone, and a link among letters, and is named as lost', () => {
  const link = { type: 'link', attrs: { href: 'https://example.org/a.png' } }
  const { blocks, lost } = parseMarkdown(
    '![a *cat*](https://example.org/a.png "On a wall")\n\nsee ![the cat][cat] and ![](https://example.org/a.png)\n\n[cat]: https://example.org/a.png\n',
  )
  expect(lost.image).toBe(3)
  expect(blocks).toEqual([
    {
      type: 'linkCard',
      attrs: { href: 'https://example.org/a.png' },
      content: [{ type: 'caption', content: [text('a cat')] }],
    },
    {
      type: 'paragraph',
      content: [
        text('see '),
        { ...text('the cat'), marks: [link] },
        text(' and '),
        { ...text('https://example.org/a.png'), marks: [link] },
      ],
    },
  ])
})

test('a line end within a paragraph is a space', () => {
  expect(parseMarkdown('a\nb').blocks).toEqual([{ type: 'paragraph', content: [text('a b')] }])
})

test('an incomplete address makes no link, and a script address never does', () => {
  for (const href of ['javascript:alert(1)', 'data:text/html,x', 'docs/README.md', '#part', '//example.org'])
    expect(docOf(`[a](${href})`).firstChild!.firstChild!.marks).toEqual([])
})

test('anything nested deeper in quotes and lists than an edit allows is text', () => {
  const deepest = (node: Node): number => 1 + Math.max(0, ...node.children.map(deepest))
  for (const sign of ['> ', '- ']) {
    const doc = docOf(`${sign.repeat(200)}letters`)
    expect(doc.textContent).toContain('letters')
    expect(deepest(doc)).toBeLessThan(60)
  }
})

test('a reference link finds its address', () => {
  const doc = docOf('[a][b]\n\n[b]: https://example.org/\n')
  expect(doc.firstChild!.firstChild!.marks[0]!.attrs).toEqual({ href: 'https://example.org/' })
})

test.each([
  '- \n- # a\n',
  '>\n',
  '- [ ]\n',
  '<div>\n\nx\n\n</div>',
  '![a][b]',
  '1.\n   > a',
  '- ```\n  a\n  ```',
])('%j parses into a valid text', (source) => {
  expect(() => docOf(source)).not.toThrow()
})

test.each([
  ['==a b== c', '<mark>a b</mark> c\n'],
  ['if x==1 && y==2', 'if x==1 && y==2\n'],
  ['a == b == c', 'a == b == c\n'],
  ['\\==a==', '\\==a==\n'],
  ['<MARK class="x">a</MARK>', '<mark>a</mark>\n'],
  [
    '<mark data-color="green">a <mark>b</mark> c</mark>',
    '<mark data-color="green">a</mark> <mark>b</mark> <mark data-color="green">c</mark>\n',
  ],
  ['<sub>a<sup>b</sup></sub>', '<sub>a</sub><sup>b</sup>\n'],
  ['**a __b__ c**', '**a b c**\n'],
  ['<u>a <u>b</u> c</u>', '<u>a b c</u>\n'],
  ['<u>a', '<u>a</u>\n'],
  ['a</u>', 'a\n'],
])('marks as %j are read as %j', (source, written) => {
  expect(roundTripped(source)).toBe(written)
})
