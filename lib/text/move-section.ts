/**
 * Moves a heading with all that stands under it. Yjs has no move: what moves is deleted and written anew, in one transaction. So carets
 * and comments within it lose their place, and letters that somebody else types there at the same moment go with what is deleted.
 * Therefore, of the two sides that change places, the one with fewer letters is written anew.
 */
import * as Y from 'yjs'
import { levelOf, type SectionRange, sectionAt } from './headings.ts'
import { blockTextOf } from './plain-text.ts'
import { type Block, treeOf } from './tree.ts'

/**
 * Moves top blocks before the one at `before`, or to the end where that equals their number. Returns where the first of them then stands.
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

/** Counts letters, and one for each block. */
const sizeOf = (blocks: readonly Block[], { from, to }: SectionRange): number =>
  blocks.slice(from, to).reduce((sum, block) => sum + blockTextOf(block).length + 1, 0)

function rewriteBlocks(
  fragment: Y.XmlFragment,
  moved: readonly Block[],
  before: Block | null,
  origin: unknown,
): void {
  // Not the index among blocks: an element that is no block may stand between them, and moves along.
  const indexOf = ({ type }: Block): number => fragment.toArray().indexOf(type)
  fragment.doc!.transact(() => {
    const [first, last] = [indexOf(moved[0]!), indexOf(moved.at(-1)!)]
    const copies = fragment.slice(first, last + 1).map(copyOf)
    fragment.delete(first, copies.length)
    fragment.insert(before ? indexOf(before) : fragment.length, copies)
  }, origin)
}

/** As Yjs clones a type, and with the types that stand among its letters: a text's own clone would insert those themselves, and throw. */
function copyOf(type: unknown): Y.XmlText {
  if (type instanceof Y.XmlElement) {
    const copy = new Y.XmlElement(type.nodeName)
    for (const [name, value] of Object.entries(type.getAttributes())) copy.setAttribute(name, value)
    copy.insert(0, type.toArray().map(copyOf))
    return copy as unknown as Y.XmlText
  }
  if (!(type instanceof Y.XmlText)) return (type as Y.XmlText).clone()
  const copy = new Y.XmlText()
  const copyInsert = (insert: unknown): unknown =>
    insert instanceof Y.AbstractType ? copyOf(insert) : insert
  const delta = type.toDelta() as { readonly insert: unknown }[]
  copy.applyDelta(delta.map((part) => ({ ...part, insert: copyInsert(part.insert) })))
  return copy
}

/** Where a section goes that moves up by one place: before the nearest heading above it that is not below its level. */
export function indexAbove(blocks: readonly Block[], index: number): number | null {
  const level = levelAt(blocks, index)
  for (let at = index - 1; at >= 0; at--) if (levelAt(blocks, at) <= level) return at
  return null
}

/**
 * Where a section goes that moves down by one place: after the section that follows, or, where that one is of a higher level, before the
 * first heading in it. Null at the end of the text.
 */
export function indexBelow(blocks: readonly Block[], index: number): number | null {
  const level = levelAt(blocks, index)
  const { to } = sectionAt(blocks, index)
  if (to >= blocks.length) return null
  if (levelAt(blocks, to) === level) return sectionAt(blocks, to).to
  const next = blocks.findIndex((block, at) => at > to && levelOf(block) < Infinity)
  return next < 0 ? blocks.length : next
}

function levelAt(blocks: readonly Block[], index: number): number {
  const block = blocks[index]
  return block ? levelOf(block) : Infinity
}

/** Whether all headings of the section at `index` can move down this many levels, or up where `by` is negative. */
export const canShiftSection = (blocks: readonly Block[], index: number, by: number): boolean =>
  headingsIn(blocks, index).every((block) => levelOf(block) + by >= 1 && levelOf(block) + by <= 6)

/** Moves all headings of a section down this many levels, or up. Nothing is written anew. */
export function shiftSection(fragment: Y.XmlFragment, index: number, by: number, origin: unknown): void {
  const blocks = treeOf(fragment)
  if (!canShiftSection(blocks, index, by)) return
  fragment.doc!.transact(() => {
    for (const block of headingsIn(blocks, index)) {
      // The types of Yjs allow only strings; the editor's binding writes numbers.
      block.type.setAttribute('level', (levelOf(block) + by) as unknown as string)
    }
  }, origin)
}

function headingsIn(blocks: readonly Block[], index: number): Block[] {
  const { from, to } = sectionAt(blocks, index)
  return blocks.slice(from, to).filter((block) => levelOf(block) < Infinity)
}
