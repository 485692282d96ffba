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
}
