import type { MarkDefinition } from '../definitions.ts'

export const subscript: MarkDefinition = {
  name: 'subscript',
  schema: {
    excludes: 'subscript superscript',
    parseDOM: [{ tag: 'sub' }, { style: 'vertical-align=sub' }],
    toDOM: () => ['sub', 0],
  },
  strings: { kind: 'subscript', name: 'Subscript' },
  // Markdown has no form for it: `~` around letters strikes them through.
  markdown: {
    wrap: (children) => [{ type: 'html', value: '<sub>' }, ...children, { type: 'html', value: '</sub>' }],
    tag: 'sub',
  },
}
