import type { MarkMarkdown } from '../markdown-types.ts'

// Markdown has no form for it.
export const underlineMarkdown: MarkMarkdown = {
  wrap: (children) => [{ type: 'html', value: '<u>' }, ...children, { type: 'html', value: '</u>' }],
  tag: 'u',
}
