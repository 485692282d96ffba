import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect, test } from 'vitest'
import {
  heading,
  lineBreak,
  paragraph,
  type BlockSketch,
  type RunSketch,
  textWith,
} from './fixtures/text-sketches.ts'
import { markdownOf, markdownTitleOf, mdastOf } from './markdown.ts'
import { treeOf } from './tree.ts'

const markdown = (...blocks: BlockSketch[]) => markdownOf(treeOf(textWith(...blocks)))
const run = (text: string, ...names: string[]): RunSketch => ({
  text,
  marks: Object.fromEntries(names.map((name) => [name, {}])),
})
const link = (text: string, href: unknown, ...names: string[]): RunSketch => ({
  text,
  marks: { ...run(text, ...names).marks, link: { href } },
})
const item = (...children: BlockSketch[]): BlockSketch => ({ name: 'listItem', children })
const task = (checked: boolean, ...children: BlockSketch[]): BlockSketch => ({
  name: 'taskItem',
  attributes: { checked },
  children,
})

test.each<[string, BlockSketch[], string]>([
  ['headings', [heading(2, 'Plan'), paragraph('Text')], '## Plan\n\nText\n'],
  [
    'signs that mean something',
    [paragraph('# 1. a*b*c [d] ~~e~~')],
    '\\# 1. a\\*b\\*c \\[d] \\~\\~e\\~\\~\n',
  ],
  ['marks', [paragraph('a ', run('b', 'bold'), ' ', run('c', 'italic', 'bold'))], 'a **b** **_c_**\n'],
  ['struck and underlined', [paragraph(run('a', 'strike'), run('b', 'underline'))], '~~a~~<u>b</u>\n'],
  ['code with a backtick', [paragraph(run('a`b', 'code'))], '``a`b``\n'],
  [
    'a link',
    [paragraph(link('here', 'https://example.org/a b', 'bold'))],
    '[**here**](<https://example.org/a b>)\n',
  ],
  ['script is no address', [paragraph(link('here', 'java\nscript:alert(1)'))], 'here\n'],
  ['a space at the end of a line', [paragraph('a ', lineBreak, ' b\t')], 'a\\\nb\n'],
  ['a heading with spaces around it', [heading(1, ' Plan ')], '# Plan\n'],
  ['bold with a space at its end', [paragraph(run('a ', 'bold'), run('b', 'italic'))], '**a** *b*\n'],
  [
    'bold with a space within it',
    [paragraph(run('a', 'bold'), run(' ', 'bold', 'italic'), run('b ', 'bold'))],
    '**a b**\n',
  ],
  ['a line break', [paragraph('a', lineBreak, 'b', lineBreak)], 'a\\\nb\n'],
  [
    'a list within a list',
    [
      {
        name: 'bulletList',
        children: [
          item(paragraph('a'), {
            name: 'orderedList',
            attributes: { start: 3 },
            children: [item(paragraph('b'))],
          }),
        ],
      },
    ],
    '- a\n\n  3. b\n',
  ],
  [
    'tasks',
    [{ name: 'taskList', children: [task(true, paragraph('done')), task(false, paragraph('open'))] }],
    '- [x] done\n- [ ] open\n',
  ],
  [
    'code',
    [{ name: 'codeBlock', attributes: { language: 'ts' }, children: [{ text: 'a\n```\nb' }] }],
    '````ts\na\n```\nb\n````\n',
  ],
  [
    'an attribute that is no language',
    [{ name: 'codeBlock', attributes: { language: '` x' }, children: [{ text: 'a' }] }],
    '```\na\n```\n',
  ],
  [
    'a quote and a rule',
    [{ name: 'blockquote', children: [paragraph('a')] }, { name: 'horizontalRule' }],
    '> a\n\n***\n',
  ],
  ['blocks that a newer page wrote', [{ name: 'hologram', children: [paragraph('a')] }], 'a\n'],
])('%s', (_name, blocks, expected) => {
  expect(markdown(...blocks)).toBe(expected)
})

/** CommonMark's parser knows no `~~`: the table above does. */
const marks = fc
  .record({
    bold: fc.boolean(),
    italic: fc.boolean(),
    underline: fc.boolean(),
    code: fc.boolean(),
    link: fc.constantFrom(
      null,
      'https://example.org/',
      'mailto:a@example.org',
      '/d/(1',
      'https://x.org/a b\\"',
    ),
  })
  .map(({ link: href, ...rest }) => {
    const names = Object.entries(rest).flatMap(([name, isOn]) => (isOn ? [[name, {}] as const] : []))
    return Object.fromEntries<unknown>([...names, ...(href ? [['link', { href }] as const] : [])])
  })
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  fc.stringMatching(/^[-+*_`~#>[\]()!<&|\\ \n1.:=a]{1,8}$/),
)
const letters = fc.record({ text, marks })
const phrasing = fc.array(
  fc.oneof({ weight: 4, arbitrary: letters }, { weight: 1, arbitrary: fc.constant(lineBreak) }),
  {
    maxLength: 5,
  },
)
const plain = fc.array(
  text.map((value) => ({ text: value })),
  { maxLength: 2 },
)

const { block } = fc.letrec<{
  block: BlockSketch
  blocks: BlockSketch[]
  items: BlockSketch[]
  tasks: BlockSketch[]
}>((tie) => ({
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ name: fc.constant('paragraph'), children: phrasing }),
    fc.record({
      name: fc.constant('heading'),
      attributes: fc.record({ level: fc.integer({ min: 1, max: 6 }) }),
      children: phrasing,
    }),
    fc.record({
      name: fc.constant('codeBlock'),
      attributes: fc.record({ language: fc.constantFrom('', 'ts', 'c++') }),
      children: plain,
    }),
    fc.constant<BlockSketch>({ name: 'horizontalRule' }),
    fc.record({ name: fc.constant('blockquote'), children: tie('blocks') }),
    fc.record({ name: fc.constant('bulletList'), children: tie('items') }),
    fc.record({
      name: fc.constant('orderedList'),
      attributes: fc.record({ start: fc.nat(2000) }),
      children: tie('items'),
    }),
    fc.record({ name: fc.constant('taskList'), children: tie('tasks') }),
  ),
  blocks: fc.array(tie('block'), { maxLength: 4 }),
  items: fc.array(fc.record({ name: fc.constant('listItem'), children: tie('blocks') }), { maxLength: 3 }),
  tasks: fc.array(
    fc.record({
      name: fc.constant('taskItem'),
      attributes: fc.record({ checked: fc.boolean() }),
      children: tie('blocks'),
    }),
    { maxLength: 3 },
  ),
}))

test('the written Markdown is read as the same tree', () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 5 }), (sketches) => {
      const blocks = treeOf(textWith(...sketches))
      const written = markdownOf(blocks)
      expect(simple(readBoxes(fromMarkdown(written), written))).toEqual(simple(mdastOf(blocks)))
    }),
    // A busy machine makes fewer runs.
    { numRuns: 300, interruptAfterTimeLimit: 10_000 },
  )
})

/** Task boxes are GitHub's extension; this parser reads them as letters. */
function readBoxes(node: Nodes, source: string): Nodes {
  if (!('children' in node)) return node
  node.children.forEach((child) => readBoxes(child, source))
  const [first] = node.type === 'listItem' ? node.children : []
  const box = first?.type === 'paragraph' && /^\[[ x]\] /.exec(source.slice(first.position!.start.offset))
  if (node.type !== 'listItem' || !box) return node
  const { children } = first as { children: { value: string }[] }
  children[0]!.value = children[0]!.value.slice(4)
  if (children[0]!.value === '') children.shift()
  return Object.assign(node, { checked: box[0][1] === 'x' })
}

/** Removes source positions, and fields that say the same in two ways. */
function simple(node: Nodes): unknown {
  const { position: _position, ...rest } = node as Nodes & Record<string, unknown>
  const fields = Object.entries(rest).filter(
    ([key, value]) =>
      value !== null &&
      !['spread', 'title', 'meta', 'data'].includes(key) &&
      !(key === 'start' && value === null),
  )
  const children = 'children' in node ? node.children.map(simple) : undefined
  return { ...Object.fromEntries(fields), ...(children && { children }) }
}

test('a title is a heading of the first level, and none without letters', () => {
  expect(markdownTitleOf('Report *draft*')).toBe('# Report \\*draft\\*\n')
  expect(markdownTitleOf('')).toBe('')
})
