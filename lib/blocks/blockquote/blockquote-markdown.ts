import type { NodeMarkdown } from '../markdown-types.ts'

export const blockquoteMarkdown: NodeMarkdown = {
  write: (block, writer) => [{ type: 'blockquote', children: writer.blocksIn(block) }],
  read: {
    blockquote({ children }, reader) {
      const content = reader.blocks(children)
      return [{ type: 'blockquote', content: content.length > 0 ? content : [{ type: 'paragraph' }] }]
    },
  },
}
