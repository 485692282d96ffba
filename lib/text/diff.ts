/** What changed from one state of a text to another: block by block, and word by word within a block. */
import { align, keyOf } from './align.ts'
import { isTextBlock } from './plain.ts'
import { type Block, isText, type Part, type Run } from './tree.ts'
import { comparePieces, type Piece, tokensOf } from './words.ts'

export type Difference =
  { readonly kind: 'same' | 'added' | 'removed'; readonly block: Block } | ChangedText | ChangedBlock

/** A text block on both sides: a paragraph that was edited, or became a heading. */
interface ChangedText {
  readonly kind: 'text'
  readonly before: Block
  readonly after: Block
  readonly pieces: readonly Piece[]
}

/** A list, a quote… that holds blocks on both sides. */
interface ChangedBlock {
  readonly kind: 'blocks'
  readonly before: Block
  readonly after: Block
  readonly children: readonly Difference[]
}

/** In the order of reading. */
export const differencesBetween = (before: readonly Block[], after: readonly Block[]): Difference[] =>
  align(before, after).flatMap(([old, now]): readonly Difference[] => {
    if (old === null) return [{ kind: 'added', block: now }]
    if (now === null) return [{ kind: 'removed', block: old }]
    return keyOf(old) === keyOf(now) ? [{ kind: 'same', block: now }] : knownChange(old, now)
  })

interface Compared {
  readonly before: Block
  readonly differences: readonly Difference[]
}

const compared = new WeakMap<Block, Compared>()

/** While somebody types in one of many changed blocks, the others are not compared again. */
function knownChange(before: Block, after: Block): readonly Difference[] {
  const known = compared.get(after)
  if (known?.before === before) return known.differences
  const differences = changed(before, after)
  compared.set(after, { before, differences })
  return differences
}

function changed(before: Block, after: Block): Difference[] {
  if (isTextBlock(before) && isTextBlock(after))
    return [{ kind: 'text', before, after, pieces: comparePieces(lettersOf(before), lettersOf(after)) }]
  if (isTextBlock(before) !== isTextBlock(after))
    return [
      { kind: 'removed', block: before },
      { kind: 'added', block: after },
    ]
  return [{ kind: 'blocks', before, after, children: differencesBetween(blocksIn(before), blocksIn(after)) }]
}

const blocksIn = ({ children }: Block): Block[] => children.filter((part): part is Block => !isText(part))

/** Within a text block an element is a line break. */
const lettersOf = ({ children }: Block): Run[] =>
  children.flatMap((part: Part) => (isText(part) ? part.runs : [{ text: '\n', marks: {} }]))

export interface Summary {
  /** Words. */
  readonly added: number
  readonly removed: number
  /** Blocks that differ, those within others for themselves. */
  readonly blocks: number
}

export function summaryOf(differences: readonly Difference[]): Summary {
  const parts = differences.map(summaryOfOne)
  const sum = (key: keyof Summary) => parts.reduce((total, part) => total + part[key], 0)
  return { added: sum('added'), removed: sum('removed'), blocks: sum('blocks') }
}

function summaryOfOne(difference: Difference): Summary {
  switch (difference.kind) {
    case 'same':
      return { added: 0, removed: 0, blocks: 0 }
    case 'added':
      return { added: wordsIn(difference.block), removed: 0, blocks: 1 }
    case 'removed':
      return { added: 0, removed: wordsIn(difference.block), blocks: 1 }
    case 'text':
      return { ...piecesSum(difference.pieces), blocks: 1 }
    case 'blocks': {
      const within = summaryOf(difference.children)
      return { ...within, blocks: Math.max(1, within.blocks) }
    }
  }
}

const piecesSum = (pieces: readonly Piece[]) => {
  const of = (kind: Piece['kind']) =>
    pieces.reduce((total, piece) => total + (piece.kind === kind ? countWords(piece.text) : 0), 0)
  return { added: of('added'), removed: of('removed') }
}

const wordsIn = (block: Block): number =>
  isTextBlock(block)
    ? countWords(
        lettersOf(block)
          .map(({ text }) => text)
          .join(''),
      )
    : blocksIn(block).reduce((total, child) => total + wordsIn(child), 0)

const countWords = (text: string): number =>
  tokensOf(text).filter((token) => /[\p{L}\p{N}]/u.test(token)).length
