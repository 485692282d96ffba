/** Finds what changed from one state of a text to another: block by block, and word by word within a block. */
import { alignNodes, contentKeyOf } from './align-nodes.ts'
import { isTextBlock, shownTextOf } from './plain-text.ts'
import { type Block, isTextNode, type TreeNode, type TextRun } from './tree.ts'
import { diffRuns, type DiffPiece, wordTokensOf } from './word-diff.ts'

export type BlockDifference =
  { readonly kind: 'same' | 'added' | 'removed'; readonly block: Block } | ChangedText | ChangedBlock

/** A text block that is on both sides: a paragraph that was edited, or became a heading. */
interface ChangedText {
  readonly kind: 'text'
  readonly before: Block
  readonly after: Block
  readonly pieces: readonly DiffPiece[]
}

/** A list, a quote… that holds blocks and is on both sides. */
interface ChangedBlock {
  readonly kind: 'blocks'
  readonly before: Block
  readonly after: Block
  readonly children: readonly BlockDifference[]
}

/** The differences in the order of reading. */
export const differencesBetween = (before: readonly Block[], after: readonly Block[]): BlockDifference[] =>
  alignNodes(before, after).flatMap(([old, now]): readonly BlockDifference[] => {
    if (old === null) return [{ kind: 'added', block: now }]
    if (now === null) return [{ kind: 'removed', block: old }]
    return contentKeyOf(old) === contentKeyOf(now) ? [{ kind: 'same', block: now }] : cachedChange(old, now)
  })

interface CachedDifferences {
  readonly before: Block
  readonly differences: readonly BlockDifference[]
}

const cachedDifferences = new WeakMap<Block, CachedDifferences>()

/** Compares two blocks once: while somebody types in one of many changed blocks, the others are not compared again. */
function cachedChange(before: Block, after: Block): readonly BlockDifference[] {
  const cached = cachedDifferences.get(after)
  if (cached?.before === before) return cached.differences
  const differences = compareBlocks(before, after)
  cachedDifferences.set(after, { before, differences })
  return differences
}

function compareBlocks(before: Block, after: Block): BlockDifference[] {
  if (isTextBlock(before) && isTextBlock(after))
    return [{ kind: 'text', before, after, pieces: diffRuns(runsOf(before), runsOf(after)) }]
  if (isTextBlock(before) !== isTextBlock(after))
    return [
      { kind: 'removed', block: before },
      { kind: 'added', block: after },
    ]
  return [{ kind: 'blocks', before, after, children: differencesBetween(blocksIn(before), blocksIn(after)) }]
}

const blocksIn = ({ children }: Block): Block[] => children.filter((node): node is Block => !isTextNode(node))

const runsOf = ({ children }: Block): TextRun[] =>
  children.flatMap((node: TreeNode) =>
    isTextNode(node) ? node.runs : [{ text: shownTextOf(node), marks: {} }],
  )

/** Which of two texts. */
export type TextSide = 'before' | 'after'

/** A difference as one text alone shows it, with what changes in it marked; null where only the other text has something. */
export function oneSideOf(difference: BlockDifference, side: TextSide): BlockDifference | null {
  const hidden = side === 'before' ? 'added' : 'removed'
  switch (difference.kind) {
    case 'text': {
      const pieces = difference.pieces.filter(({ kind }) => kind !== hidden)
      return { ...difference, [side === 'before' ? 'after' : 'before']: difference[side], pieces }
    }
    case 'blocks': {
      const children = difference.children.flatMap((child) => oneSideOf(child, side) ?? [])
      return { ...difference, [side === 'before' ? 'after' : 'before']: difference[side], children }
    }
    default:
      return difference.kind === hidden ? null : difference
  }
}

export interface DifferenceSummary {
  /** The number of words. */
  readonly added: number
  readonly removed: number
  /** The number of blocks that differ; blocks within others count for themselves. */
  readonly blocks: number
}

export function differenceSummaryOf(differences: readonly BlockDifference[]): DifferenceSummary {
  const summaries = differences.map(summaryOfOne)
  const sum = (key: keyof DifferenceSummary) => summaries.reduce((total, summary) => total + summary[key], 0)
  return { added: sum('added'), removed: sum('removed'), blocks: sum('blocks') }
}

function summaryOfOne(difference: BlockDifference): DifferenceSummary {
  switch (difference.kind) {
    case 'same':
      return { added: 0, removed: 0, blocks: 0 }
    case 'added':
      return { added: wordsIn(difference.block), removed: 0, blocks: 1 }
    case 'removed':
      return { added: 0, removed: wordsIn(difference.block), blocks: 1 }
    case 'text':
      return { ...wordChangesOf(difference.pieces), blocks: 1 }
    case 'blocks': {
      const within = differenceSummaryOf(difference.children)
      return { ...within, blocks: Math.max(1, within.blocks) }
    }
  }
}

const wordChangesOf = (pieces: readonly DiffPiece[]) => {
  const wordsOfKind = (kind: DiffPiece['kind']) =>
    pieces.reduce((total, piece) => total + (piece.kind === kind ? countWords(piece.text) : 0), 0)
  return { added: wordsOfKind('added'), removed: wordsOfKind('removed') }
}

const wordsIn = (block: Block): number =>
  isTextBlock(block)
    ? countWords(
        runsOf(block)
          .map(({ text }) => text)
          .join(''),
      )
    : blocksIn(block).reduce((total, child) => total + wordsIn(child), 0)

const countWords = (text: string): number =>
  wordTokensOf(text).filter((token) => /[\p{L}\p{N}]/u.test(token)).length
