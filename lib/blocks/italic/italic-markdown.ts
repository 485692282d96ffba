import type { MarkMarkdown } from '../markdown-types.ts'

export const italicMarkdown: MarkMarkdown = {
  wrap: (children) => [{ type: 'emphasis', children }],
  read: { emphasis: () => ({}) },
}
