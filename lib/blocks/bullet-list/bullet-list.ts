import { readList, writeList } from '../list-markdown.ts'
import type { NodeDefinition } from '../definitions.ts'

export const bulletList: NodeDefinition = {
  name: 'bulletList',
  schema: {
    content: 'listItem+',
    group: 'block list',
    parseDOM: [{ tag: 'ul' }],
    toDOM: () => ['ul', 0],
  },
  strings: { kind: () => 'bulleted list', name: 'Bullet list', words: 'ul unordered bulleted' },
  markdown: {
    write: (block, writer) => writeList(block, { ordered: false }, writer),
    // It reads lists of all kinds, since one list of Markdown can hold several.
    read: { list: readList },
  },
}
