import type { MarkMarkdown } from '../markdown-types.ts'

export const strikeMarkdown: MarkMarkdown = {
  wrap: (children) => [{ type: 'delete', children }],
  fenced: /~~(?=\S)([^~]+)(?<=\S)~~/,
}
