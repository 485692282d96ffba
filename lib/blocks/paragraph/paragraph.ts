import type { NodeDefinition } from '../definitions.ts'

export const paragraph: NodeDefinition = {
  name: 'paragraph',
  schema: {
    content: 'inline*',
    group: 'block',
    parseDOM: [{ tag: 'p' }],
    toDOM: () => ['p', 0],
  },
  strings: { kind: () => 'paragraph', name: 'Text' },
  markdown: {
    read: {
      /** A paragraph that held only images is none. */
      paragraph(node, reader) {
        const content = reader.inline(node.children)
        return content.length > 0 ? [{ type: 'paragraph', content }] : []
      },
    },
  },
}
