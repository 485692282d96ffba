import type { MarkMarkdown } from '../markdown-types.ts'

export const boldMarkdown: MarkMarkdown = {
  wrap: (children) => [{ type: 'strong', children }],
  read: { strong: () => ({}) },
}
