/** Puts other letters in the place of matches, with the marks that were there. Touches only the letters that differ. */
import * as Y from 'yjs'
import type { Match } from './find.ts'
import type { Lines } from './lines.ts'
import { type Block, isText, type Part } from './tree.ts'

export interface Replacement {
  readonly match: Match
  readonly by: string
}

/**
 * One transaction of the caller's makes it one step of undo.
 *
 * @param lines As they are now. Where the letters of a match are others by now, it is left alone.
 * @returns How many were replaced.
 */
export function replaceIn(lines: Lines, replacements: readonly Replacement[]): number {
  const current = replacements.filter(({ match: { line, offset, text } }) =>
    lines.texts[line]?.startsWith(text, offset),
  )
  // From behind, so that the places before still hold.
  for (const { match, by } of current.toReversed()) replaceOne(lines.blocks[match.line]!, match, by)
  return current.length
}

function replaceOne(block: Block, { offset, text }: Match, by: string): void {
  if (text === by) return
  const { start, end } = difference(text, by)
  const removed = text.slice(start, text.length - end)
  const place = { from: offset + start, to: offset + start + removed.length }
  exchange(block, place, by.slice(start, by.length - end), firstLetter(removed).length)
}

/** How many letters at the start and at the end are the same, and keep their identity. At least one is removed: its marks are inherited. */
function difference(before: string, after: string): { start: number; end: number } {
  const [old, fresh] = [Array.from(before), Array.from(after)]
  const most = Math.min(old.length - 1, fresh.length)
  let start = 0
  while (start < most && old[start] === fresh[start]) start++
  let end = 0
  while (end < most - start && old.at(-1 - end) === fresh.at(-1 - end)) end++
  const length = (letters: string[]) => letters.join('').length
  return { start: length(old.slice(0, start)), end: end === 0 ? 0 : length(old.slice(-end)) }
}

/** Never half a surrogate pair: Yjs would make two U+FFFD of it. */
const firstLetter = (text: string): string => String.fromCodePoint(text.codePointAt(0)!)

interface Piece {
  readonly part: Part
  /** Among the children of its block. */
  readonly index: number
  /** Within the part. */
  readonly start: number
  readonly end: number
}

/** @param first The length of the first letter that goes: what is put in behind it has its marks. */
function exchange(block: Block, { from, to }: { from: number; to: number }, by: string, first: number): void {
  const [head, ...rest] = piecesOf(block, from, to)
  if (!head) return
  for (const piece of rest.toReversed()) remove(block, piece)
  if (isText(head.part)) exchangeLetters(head.part.type, head, by, first)
  else exchangeBreak(block, head, by)
}

function exchangeLetters(text: Y.XmlText, { start, end }: Piece, by: string, first: number): void {
  text.insert(start + first, by)
  text.delete(start + first + by.length, end - start - first)
  text.delete(start, first)
}

/** What of each part lies between two offsets. Later parts may have changed since the block was read, and are not asked. */
function piecesOf({ children }: Block, from: number, to: number): Piece[] {
  const pieces: Piece[] = []
  let offset = 0
  for (const [index, part] of children.entries()) {
    const length = isText(part) ? part.type.length : 1
    const [start, end] = [Math.max(from - offset, 0), Math.min(to - offset, length)]
    if (start < end) pieces.push({ part, index, start, end })
    offset += length
    if (offset >= to) break
  }
  return pieces
}

function remove(block: Block, { part, index, start, end }: Piece): void {
  if (isText(part)) part.type.delete(start, end - start)
  else block.type.delete(index, 1)
}

/** A line break has no marks to inherit. */
function exchangeBreak({ type, children }: Block, { index }: Piece, by: string): void {
  type.delete(index, 1)
  const before = children[index - 1]
  if (before && isText(before)) before.type.insert(before.type.length, by)
  else if (by !== '') type.insert(index, [new Y.XmlText(by)])
}
