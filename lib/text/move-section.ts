/**
 * Moves a heading with all that stands under it. Yjs knows no moving: what moves is deleted and written anew, in one transaction, so
 * carets and comments within it lose their hold, and letters typed there at the same moment elsewhere go with what is deleted.
 * So, of the two sides that change places, the shorter one is written anew: that of the two that fewer letters are in.
 */
import type * as Y from 'yjs'
import { headingLevelOf } from './block-attributes.ts'
import { type SectionRange, sectionAt } from './headings.ts'
import { blockTextOf } from './plain-text.ts'
import { type Block, treeOf } from './tree.ts'

/**
 * Moves top blocks before the one at `before`; before the end where it is their number. Returns where the first of them then stands.
 * `origin` is the transaction's, by which undo knows its own.
 */
export function moveSection(
  fragment: Y.XmlFragment,
  section: SectionRange,
  before: number,
  origin: unknown,
): number {
  const { from, to } = section
  if (before >= from && before <= to) return from
  const blocks = treeOf(fragment)
  const other = before < from ? { from: before, to: from } : { from: to, to: before }
  const rewritten = sizeOf(blocks, section) <= sizeOf(blocks, other) ? section : other
  const targetIndex = rewritten === section ? before : rewritten.from < from ? to : from
  rewriteBlocks(fragment, blocks.slice(rewritten.from, rewritten.to), blocks[targetIndex] ?? null, origin)
  return before < from ? before : before - (to - from)
}

/** Letters, and one for each block. */
const sizeOf = (blocks: readonly Block[], { from, to }: SectionRange): number =>
  blocks.slice(from, to).reduce((sum, block) => sum + blockTextOf(block).length + 1, 0)

function rewriteBlocks(
  fragment: Y.XmlFragment,
  moved: readonly Block[],
  before: Block | null,
  origin: unknown,
): void {
  // Not the index among blocks: something that is no block may stand between them, and goes along.
  const indexOf = ({ type }: Block): number => fragment.toArray().indexOf(type)
  fragment.doc!.transact(() => {
    const [first, last] = [indexOf(moved[0]!), indexOf(moved.at(-1)!)]
    const copies = fragment.slice(first, last + 1).map((type) => type.clone())
    fragment.delete(first, copies.length)
    fragment.insert(before ? indexOf(before) : fragment.length, copies)
  }, origin)
}

/** Before which top block a section goes that is moved up by one place: the heading above it that is not below its level. */
export function indexAbove(blocks: readonly Block[], index: number): number | null {
  const level = levelAt(blocks, index)
  for (let at = index - 1; at >= 0; at--) if (levelAt(blocks, at) <= level) return at
  return null
}

/** Moved down by one place: behind the section that follows, or, where that is of a higher level, to the top of what it holds. */
export function indexBelow(blocks: readonly Block[], index: number): number | null {
  const level = levelAt(blocks, index)
  const { to } = sectionAt(blocks, index)
  if (to >= blocks.length) return null
  if (levelAt(blocks, to) === level) return sectionAt(blocks, to).to
  const next = blocks.findIndex((block, at) => at > to && block.name === 'heading')
  return next < 0 ? blocks.length : next
}

/** Of what is no heading: lower than all. */
function levelAt(blocks: readonly Block[], index: number): number {
  const block = blocks[index]
  return block?.name === 'heading' ? headingLevelOf(block) : Infinity
}

/** Whether all headings of the section at `index` can go so many levels down, or up where it is negative. */
export const canShiftSection = (blocks: readonly Block[], index: number, by: number): boolean =>
  headingsIn(blocks, index).every(
    (block) => headingLevelOf(block) + by >= 1 && headingLevelOf(block) + by <= 6,
  )

/** Moves all headings of a section so many levels down, or up. Nothing is written anew. */
export function shiftSection(fragment: Y.XmlFragment, index: number, by: number, origin: unknown): void {
  const blocks = treeOf(fragment)
  if (!canShiftSection(blocks, index, by)) return
  fragment.doc!.transact(() => {
    for (const block of headingsIn(blocks, index)) {
      // The types of Yjs know strings alone; the binding writes numbers.
      block.type.setAttribute('level', (headingLevelOf(block) + by) as unknown as string)
    }
  }, origin)
}

function headingsIn(blocks: readonly Block[], index: number): Block[] {
  const { from, to } = sectionAt(blocks, index)
  return blocks.slice(from, to).filter(({ name }) => name === 'heading')
}
