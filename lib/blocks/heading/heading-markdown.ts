import type { Heading } from 'mdast'
import type { NodeMarkdown } from '../markdown-types.ts'
import { headingLevelOf } from './heading.ts'

export const headingMarkdown: NodeMarkdown = {
  write: (block, writer) => [
    {
      type: 'heading',
      depth: headingLevelOf(block.attributes) as Heading['depth'],
      children: writer.phrasingIn(block, { type: 'text', value: ' ' }),
    },
  ],
  read: {
    heading: ({ depth, children }, reader) => [
      { type: 'heading', attrs: { level: depth }, content: reader.inline(children) },
    ],
  },
}
