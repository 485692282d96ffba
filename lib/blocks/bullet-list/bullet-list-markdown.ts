import { readList, writeList } from '../list-markdown.ts'
import type { NodeMarkdown } from '../markdown-types.ts'

export const bulletListMarkdown: NodeMarkdown = {
  write: (block, writer) => writeList(block, { ordered: false }, writer),
  // It reads lists of all kinds, since one list of Markdown can hold several.
  read: { list: readList },
}
