/**
 * Divides a long slice into what is inserted in tasks of its own: first its beginning and its end together, so that it joins what is around it as
 * the whole would, and then the pieces between them. Where a task's work goes with blocks and letters, these are what is counted. Knows
 * ProseMirror's slices; does not know where they are inserted.
 */
import { Fragment, type Node, Slice } from '@tiptap/pm/model'

/** In text blocks. So many are drawn at once when a long text opens, too. */
const FIRST_PIECE = 500
const NEXT_PIECE = 1_000
/** So many letters take about as long as a text block. */
const LETTERS_A_BLOCK = 100
/** In letters. */
const LETTERS_A_PIECE = 50_000
/** In letters, by which the end of a divided text is found again. */
const TEXT_END = 20

/** What stands before the place of letters, and behind it. */
export interface LetterSeam {
  readonly before: string
  readonly after: string
}

/** By which the place of the pieces is found: the block before it, or the letters around it. */
type Seam = { readonly block: Node } | LetterSeam

interface DividedContent {
  /** The beginning and the end. */
  readonly content: Fragment
  readonly seam: Seam
  readonly pieces: readonly Fragment[]
}

export interface DividedSlice extends Omit<DividedContent, 'content'> {
  readonly ends: Slice
}

/** Null for a slice that is inserted at once. */
export function divideSlice({ content, openStart, openEnd }: Slice): DividedSlice | null {
  const divided = divideContent(content)
  if (!divided) return null
  const { seam, pieces } = divided
  return { ends: new Slice(divided.content, openStart, openEnd), seam, pieces }
}

/** Of one block, as a list or a table, it divides what is in it. */
function divideContent(content: Fragment): DividedContent | null {
  if (content.childCount !== 1) return divideBlocks(content.content)
  const only = content.firstChild!
  if (only.isText) return divideLetters(only)
  if (hasMergedRows(only)) return null
  const inner = divideContent(only.content)
  return inner && { ...inner, content: Fragment.from(only.copy(inner.content)) }
}

/** A cell that reaches into later rows would be cut off until they are there. */
const hasMergedRows = ({ type, children }: Node): boolean =>
  type.spec.tableRole === 'table' &&
  children.some((row) => row.children.some((cell) => cell.attrs.rowspan > 1))

function divideBlocks(blocks: readonly Node[]): DividedContent | null {
  if (blocks.length === 0 || blocks[0]!.isInline) return null
  const [first, ...pieces] = groupBlocks(blocks.slice(0, -1))
  if (pieces.length === 0) return null
  return {
    content: Fragment.fromArray([...first!, blocks.at(-1)!]),
    // The first block may be joined to what it is pasted behind, and a later one stays the same.
    seam: { block: first!.at(-1)! },
    pieces: pieces.map((piece) => Fragment.fromArray(piece)),
  }
}

function groupBlocks(blocks: readonly Node[]): Node[][] {
  const groups: Node[][] = []
  let room = 0
  for (const [index, block] of blocks.entries()) {
    const isSecond = index === 1
    if (room <= 0 && !isSecond) {
      room = groups.length === 0 ? FIRST_PIECE : NEXT_PIECE
      groups.push([])
    }
    groups.at(-1)!.push(block)
    room -= weightOf(block)
  }
  return groups
}

function weightOf(node: Node): number {
  if (node.isTextblock || node.isLeaf) return 1 + Math.floor(node.nodeSize / LETTERS_A_BLOCK)
  return node.children.reduce((sum, child) => sum + weightOf(child), 0)
}

function divideLetters({ text, type, marks }: Node): DividedContent | null {
  const pieces: string[] = []
  const end = wholeCharacterAt(text!, text!.length - TEXT_END)
  for (let at = 0; at < end;) {
    const next = wholeCharacterAt(text!, Math.min(at + LETTERS_A_PIECE, end))
    pieces.push(text!.slice(at, next))
    at = next
  }
  const [first, ...others] = pieces
  if (others.length === 0) return null
  const after = text!.slice(end)
  const create = (letters: string): Fragment => Fragment.from(type.schema.text(letters, marks))
  return {
    content: create(first! + after),
    seam: { before: first!.slice(-TEXT_END), after },
    pieces: others.map(create),
  }
}

/** A character of two units stays whole. */
const wholeCharacterAt = (text: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at
