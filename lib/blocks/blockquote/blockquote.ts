import type { NodeDefinition } from '../definitions.ts'
import { ownDirection } from '../own-direction.ts'

export const blockquote: NodeDefinition = {
  name: 'blockquote',
  schema: {
    content: 'block+',
    group: 'block',
    defining: true,
    parseDOM: [{ tag: 'blockquote' }],
    toDOM: () => ['blockquote', ownDirection, 0],
  },
  strings: { kind: () => 'quote', name: 'Quote', words: 'citation cite' },
  sign: () => '❝',
  markdown: {
    write: (block, writer) => [{ type: 'blockquote', children: writer.blocksIn(block) }],
    read: {
      blockquote({ children }, reader) {
        const content = reader.blocks(children)
        return [{ type: 'blockquote', content: content.length > 0 ? content : [{ type: 'paragraph' }] }]
      },
    },
  },
}
