import { definitionOf } from '@/lib/blocks/blocks.ts'
import { blockActionsStrings } from '@/lib/strings/block-actions.ts'
import type { BlockSelection } from './block-selection.ts'

const LONGEST_EXCERPT = 60

/** In words: "heading 2, Costs" or "3 blocks". */
export function describeBlocks(selection: BlockSelection): string {
  const [first, ...others] = selection.blocks()
  if (!first || others.length > 0) return blockActionsStrings.count(others.length + 1)
  const kind = definitionOf(first.type.name)?.strings.kind(first.attrs) ?? blockActionsStrings.unknownKind
  const letters = first.textContent.slice(0, LONGEST_EXCERPT)
  return letters ? `${kind}, ${letters}` : kind
}
