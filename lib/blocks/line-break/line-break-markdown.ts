import type { NodeMarkdown } from '../markdown-types.ts'

export const lineBreakMarkdown: NodeMarkdown = {
  readInline: {
    break: () => [{ type: 'hardBreak' }],
    html: ({ value }) => (/^<br\s*\/?>$/i.test(value) ? [{ type: 'hardBreak' }] : null),
  },
}
