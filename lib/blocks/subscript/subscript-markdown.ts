import type { MarkMarkdown } from '../markdown-types.ts'

// Markdown has no form for it: `~` around letters strikes them through.
export const subscriptMarkdown: MarkMarkdown = {
  wrap: (children) => [{ type: 'html', value: '<sub>' }, ...children, { type: 'html', value: '</sub>' }],
  tag: 'sub',
}
