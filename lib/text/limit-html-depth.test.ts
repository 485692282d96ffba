import { expect, test } from 'vitest'
import { limitHtmlDepth, MAX_HTML_DEPTH } from './limit-html-depth.ts'

const nest = (levels: number, inner: string): string =>
  `${'<blockquote class="a">'.repeat(levels)}${inner}${'</blockquote>'.repeat(levels)}`

test('what is nested less deep stays as it is', () => {
  for (const html of [
    nest(MAX_HTML_DEPTH, '<p>x</p>'),
    '<div>a</div>'.repeat(1_000),
    '</div>'.repeat(1_000) + nest(MAX_HTML_DEPTH, 'x'),
    '<p>one<p>two<br>'.repeat(1_000),
    '',
  ])
    expect(limitHtmlDepth(html)).toBe(html)
})

test('what is nested deeper loses its tags and no letters, and what follows keeps its own', () => {
  const after = '<ul><li>after</li></ul>'
  const inner = '<p>x</p><div>y</div>'
  expect(limitHtmlDepth(nest(10_000, inner) + after)).toBe(nest(MAX_HTML_DEPTH, '<p>x</p>y') + after)
  expect(limitHtmlDepth(`${'<div>'.repeat(10_000)}x`)).toBe(`${'<div>'.repeat(MAX_HTML_DEPTH)}x`)
})
