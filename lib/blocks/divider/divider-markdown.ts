import type { NodeMarkdown } from '../markdown-types.ts'

export const dividerMarkdown: NodeMarkdown = {
  write: () => [{ type: 'thematicBreak' }],
  read: { thematicBreak: () => [{ type: 'horizontalRule' }] },
}
