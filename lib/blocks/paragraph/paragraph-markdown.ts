import type { NodeMarkdown } from '../markdown-types.ts'

export const paragraphMarkdown: NodeMarkdown = {
  read: {
    /** A paragraph that held only images is none. */
    paragraph(node, reader) {
      const content = reader.inline(node.children)
      return content.length > 0 ? [{ type: 'paragraph', content }] : []
    },
  },
}
