/** A paragraph `[TOC]`, as Python-Markdown, Typora and many wikis have it. */
import type { PhrasingContent, RootContent } from 'mdast'
import type { NodeMarkdown } from '../markdown-types.ts'

const sign = '[TOC]'

/** GitLab and markdown-it have other signs for the same. */
const knownSign = /^(?:\[TOC\]|\[\[_?TOC_?\]\])$/i

/** The parser leaves the sign among letters, and reads `_TOC_` as emphasis. What was escaped is longer than its letters: it is no sign. */
function isSign(node: RootContent): boolean {
  if (node.type !== 'paragraph') return false
  const letters = node.children.map(lettersOf).join('')
  const { start, end } = node.position!
  return knownSign.test(letters) && end.offset! - start.offset! === letters.length
}

function lettersOf(node: PhrasingContent): string {
  if (node.type === 'text') return node.value
  return node.type === 'emphasis' ? `_${node.children.map(lettersOf).join('')}_` : ' '
}

export const tableOfContentsMarkdown: NodeMarkdown = {
  // The writer escapes nothing in HTML.
  write: () => [{ type: 'html', value: sign }],
  group: (nodes) =>
    nodes.map((node) => (isSign(node) ? { type: 'html', value: sign, position: node.position! } : node)),
  read: { html: ({ value }) => (value === sign ? [{ type: 'tableOfContents' }] : null) },
}
