import { writeList } from '../list-markdown.ts'
import type { NodeMarkdown } from '../markdown-types.ts'

export const taskListMarkdown: NodeMarkdown = {
  write: (block, writer) => writeList(block, { ordered: false }, writer),
}
