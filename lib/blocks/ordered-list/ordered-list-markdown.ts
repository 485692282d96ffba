import { writeList } from '../list-markdown.ts'
import type { NodeMarkdown } from '../markdown-types.ts'
import { listStartOf } from './ordered-list.ts'

export const orderedListMarkdown: NodeMarkdown = {
  write: (block, writer) => writeList(block, { ordered: true, start: listStartOf(block.attributes) }, writer),
}
