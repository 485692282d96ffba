/** Where the editor shows the lines of the shared text, which panels, comments and the search count. */
import { linesOf } from '@/lib/text/lines.ts'
import { treeOf } from '@/lib/text/tree.ts'
import type { Reading } from './reading.ts'
import type { TextBinding } from './text-binding.ts'

export interface LineBlock {
  /** The position at which the line's letters begin. */
  readonly start: number
  readonly size: number
}

/** One for each line; null for a line within a part that this page does not know. */
export function lineBlocksOf({ text, reading }: TextBinding): readonly (LineBlock | null)[] {
  const blocks = new Map<unknown, LineBlock>()
  if (reading) addBlocks(reading, 0, blocks)
  return linesOf(treeOf(text)).blocks.map(({ type }) => blocks.get(type) ?? null)
}

function addBlocks(
  { source, children, inline }: Reading,
  start: number,
  blocks: Map<unknown, LineBlock>,
): void {
  if (inline && source) blocks.set(source, { start, size: inline.reduce((sum, { size }) => sum + size, 0) })
  else if (inline) addLooseLines(inline, start, blocks)
  let at = start
  for (const child of children) {
    addBlocks(child, at + 1, blocks)
    at += child.node.nodeSize
  }
}

/** Each text beside the blocks is a line of its own. */
function addLooseLines(
  inline: NonNullable<Reading['inline']>,
  start: number,
  blocks: Map<unknown, LineBlock>,
): void {
  let at = start
  for (const { child, size } of inline) {
    const line = blocks.get(child) ?? { start: at, size: 0 }
    blocks.set(child, { ...line, size: line.size + size })
    at += size
  }
}
