/** Replaces matches with other letters and keeps their marks. Touches only the letters that differ. */
import * as Y from 'yjs'
import type { SearchMatch } from './search-match.ts'
import type { TextLines } from './lines.ts'
import { type Block, isTextNode, type TreeNode } from './tree.ts'

export interface Replacement {
  readonly match: SearchMatch
  readonly by: string
}

/** Stands for a mention, a date or a formula. */
const OBJECT = '\uFFFC'

/**
 * Leaves alone what holds more than letters: a name within a mention is not written here. Runs in the caller's transaction if there is
 * one, which makes it one step of undo.
 * @param lines The present lines. A match whose letters have changed since is left alone.
 * @returns How many were replaced.
 */
export function replaceMatches(lines: TextLines, replacements: readonly Replacement[]): number {
  const current = replacements.filter(
    ({ match: { line, offset, text } }) =>
      !text.includes(OBJECT) && lines.texts[line]?.startsWith(text, offset),
  )
  // Replaces from the end, so that the positions before still hold.
  for (const { match, by } of current.toReversed()) replaceMatch(lines.blocks[match.line]!, match, by)
  return current.length
}

function replaceMatch(block: Block, { offset, text }: SearchMatch, replacement: string): void {
  if (text === replacement) return
  const { start, end } = commonEndsOf(text, replacement)
  const removed = text.slice(start, text.length - end)
  const range = { from: offset + start, to: offset + start + removed.length }
  replaceRange(block, range, replacement.slice(start, replacement.length - end), firstLetter(removed).length)
}

/**
 * How many letters at the start and at the end are the same, and keep their identity. At least one letter is removed: its marks are
 * inherited.
 */
function commonEndsOf(before: string, after: string): { start: number; end: number } {
  const [old, added] = [Array.from(before), Array.from(after)]
  const maxCommon = Math.min(old.length - 1, added.length)
  let start = 0
  while (start < maxCommon && old[start] === added[start]) start++
  let end = 0
  while (end < maxCommon - start && old.at(-1 - end) === added.at(-1 - end)) end++
  const length = (letters: string[]) => letters.join('').length
  return { start: length(old.slice(0, start)), end: end === 0 ? 0 : length(old.slice(-end)) }
}

/** Never returns half a surrogate pair: Yjs would make two U+FFFD of it. */
const firstLetter = (text: string): string => String.fromCodePoint(text.codePointAt(0)!)

interface NodeSlice {
  readonly node: TreeNode
  /** The index among the children of its block. */
  readonly index: number
  /** The offset within the node. */
  readonly start: number
  readonly end: number
}

/** @param firstLength The length of the first removed letter: the text inserted after it gets its marks. */
function replaceRange(
  block: Block,
  { from, to }: { from: number; to: number },
  replacement: string,
  firstLength: number,
): void {
  const [head, ...rest] = nodeSlicesOf(block, from, to)
  if (!head) return
  for (const piece of rest.toReversed()) removeSlice(block, piece)
  if (isTextNode(head.node)) replaceInTextNode(head.node.type, head, replacement, firstLength)
  else replaceLineBreak(block, head, replacement)
}

function replaceInTextNode(
  text: Y.XmlText,
  { start, end }: NodeSlice,
  replacement: string,
  firstLength: number,
): void {
  text.insert(start + firstLength, replacement)
  text.delete(start + firstLength + replacement.length, end - start - firstLength)
  text.delete(start, firstLength)
}

/** The slices of each node between two offsets. They come from the block as it was read, since later nodes may have changed. */
function nodeSlicesOf({ children }: Block, from: number, to: number): NodeSlice[] {
  const pieces: NodeSlice[] = []
  let offset = 0
  for (const [index, node] of children.entries()) {
    const length = isTextNode(node) ? node.type.length : 1
    const [start, end] = [Math.max(from - offset, 0), Math.min(to - offset, length)]
    if (start < end) pieces.push({ node, index, start, end })
    offset += length
    if (offset >= to) break
  }
  return pieces
}

function removeSlice(block: Block, { node, index, start, end }: NodeSlice): void {
  if (isTextNode(node)) node.type.delete(start, end - start)
  else block.type.delete(index, 1)
}

/** A line break has no marks to inherit. */
function replaceLineBreak({ type, children }: Block, { index }: NodeSlice, replacement: string): void {
  type.delete(index, 1)
  const before = children[index - 1]
  if (before && isTextNode(before)) before.type.insert(before.type.length, replacement)
  else if (replacement !== '') type.insert(index, [new Y.XmlText(replacement)])
}
