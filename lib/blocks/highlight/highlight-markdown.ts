import type { MarkMarkdown } from '../markdown-types.ts'
import { highlightColorOf } from './highlight.ts'

// Written as HTML, which every reader of Markdown shows: `==` is known to some only.
export const highlightMarkdown: MarkMarkdown = {
  keyOf: (attributes) => highlightColorOf(attributes) ?? 'yellow',
  wrap: (children, color) => [
    { type: 'html', value: color === 'yellow' ? '<mark>' : `<mark data-color="${color}">` },
    ...children,
    { type: 'html', value: '</mark>' },
  ],
  tag: 'mark',
  readTag(source) {
    const color = highlightColorOf({ color: /\bdata-color="(\w+)"/.exec(source)?.[1] })
    return color === null ? {} : { color }
  },
  // Within a word it is an operator.
  fenced: /(?<![\w=])==(?=[^\s=])([^=]+)(?<=\S)==(?![\w=])/,
  unsafe: { character: '=', before: '[^\\w=]', after: '=[^\\s=]' },
}
