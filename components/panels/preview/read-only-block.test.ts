import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import {
  heading,
  lineBreak,
  paragraph,
  type BlockSketch,
  textWith,
} from '@/lib/text/fixtures/text-sketches.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { TextElementMap } from '@/components/following/text-element-map.ts'
import { ReadOnlyBlock } from './read-only-block.tsx'

const map = new TextElementMap()
const renderToHtml = (...blocks: BlockSketch[]): string =>
  treeOf(textWith(...blocks))
    .map((block) => renderToStaticMarkup(createElement(ReadOnlyBlock, { block, map })))
    .join('')

const hostile = {
  onclick: 'alert(1)',
  style: 'position:fixed',
  class: 'fixed inset-0',
  href: 'javascript:alert(1)',
}

test('letters have their marks', () => {
  const marks = { bold: {}, italic: {}, link: { href: 'https://example.org/' } }
  expect(
    renderToHtml(paragraph('a ', { text: 'b', marks }, lineBreak, { text: 'c', marks: { code: {} } })),
  ).toBe(
    '<p>a <a href="https://example.org/" target="_blank" rel="noopener noreferrer nofollow"><strong><em>b</em></strong></a><br/><code>c</code></p>',
  )
})

test('headings are one level below the page’s title', () => {
  expect(renderToHtml(heading(1, 'A'), heading(6, 'F'))).toBe(
    '<h2 dir="auto" class="level-1">A</h2><h6 dir="auto" class="level-4">F</h6>',
  )
})

test('lists and tasks look as in the text', () => {
  const list = (name: string, attributes: object, item: BlockSketch): BlockSketch =>
    ({ name, attributes, children: [item] }) as BlockSketch
  expect(
    renderToHtml(
      list('orderedList', { start: 3 }, { name: 'listItem', children: [paragraph('x')] }),
      list('taskList', {}, { name: 'taskItem', attributes: { checked: true }, children: [paragraph('y')] }),
    ),
  ).toBe(
    '<ol start="3"><li dir="auto"><p>x</p></li></ol><ul data-type="taskList"><li dir="auto" data-checked="true"><label><input type="checkbox" disabled="" aria-label="y" checked=""/></label><div><p>y</p></div></li></ul>',
  )
})

test.each<[string, BlockSketch, string]>([
  ['attributes of blocks', { ...paragraph('x'), attributes: hostile }, '<p>x</p>'],
  [
    'attributes of marks',
    paragraph({ text: 'x', marks: { bold: hostile, link: hostile } }),
    '<p><strong>x</strong></p>',
  ],
  ['names of blocks', { name: 'script', children: [{ text: 'x' }] }, '<p>x</p>'],
  ['names that objects have', { name: 'constructor', children: [{ text: 'x' }] }, '<p>x</p>'],
  ['names of marks', paragraph({ text: 'x', marks: { script: {} } }), '<p>x</p>'],
])('%s are not taken over from the text', (_name, block, expected) => {
  expect(renderToHtml(block)).toBe(expected)
})

test('what looks like HTML is text', () => {
  expect(renderToHtml(paragraph('<img src=x onerror=alert(1)>'))).toBe(
    '<p>&lt;img src=x onerror=alert(1)&gt;</p>',
  )
})

test('a code block names its language only if it is valid', () => {
  const code = (language: unknown) =>
    renderToHtml({ name: 'codeBlock', attributes: { language }, children: [{ text: 'x' }] })
  // Its bar is drawn in the browser.
  const bar = '<span class="contents"></span>'
  expect(code('ts')).toBe(`<pre>${bar}<code class="language-ts">x</code></pre>`)
  expect(code('ts" onclick')).toBe(`<pre>${bar}<code>x</code></pre>`)
})

test('blocks that a newer page wrote can be read', () => {
  expect(renderToHtml({ name: 'hologram', children: [paragraph('x')] })).toBe('<div><p>x</p></div>')
})
