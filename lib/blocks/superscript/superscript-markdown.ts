import type { MarkMarkdown } from '../markdown-types.ts'

// Markdown has no form for it: `~` around letters strikes them through.
export const superscriptMarkdown: MarkMarkdown = {
  wrap: (children) => [{ type: 'html', value: '<sup>' }, ...children, { type: 'html', value: '</sup>' }],
  tag: 'sup',
}
