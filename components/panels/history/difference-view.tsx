import { memo, type ReactNode } from 'react'
import { alignmentFields } from '@/lib/blocks/alignment.ts'
import { definitionOf, headingLevelOf, marks as markDefinitions } from '@/lib/blocks/blocks.ts'
import { link } from '@/lib/blocks/link/link.ts'
import { picture } from '@/lib/blocks/picture/picture.ts'
import type { BlockDifference } from '@/lib/text/diff.ts'
import { isTextNode, type Block, type TextMarks, type TreeNode } from '@/lib/text/tree.ts'
import { isTextBlock, shownTextOf } from '@/lib/text/plain-text.ts'
import type { DiffPiece } from '@/lib/text/word-diff.ts'
import { MarkedLetters } from '@/components/blocks/marked-letters.tsx'
import { kindChangeText, marksChangeText } from './history-text.ts'
import { VersionPicture } from './version-picture.tsx'

interface DifferenceViewProps {
  readonly difference: BlockDifference
  /** The number of an item in a numbered list. */
  readonly number?: number | undefined
}

/** Redraws only when the block itself changed: `Difference` objects are new each time. */
export const DifferenceView = memo(
  DifferenceContent,
  (a, b) => a.number === b.number && isSameDifference(a.difference, b.difference),
)

function isSameDifference(a: BlockDifference, b: BlockDifference): boolean {
  if ('block' in a) return 'block' in b && a.kind === b.kind && a.block === b.block
  return a.kind === b.kind && a.before === b.before && a.after === b.after
}

function DifferenceContent({ difference, number }: DifferenceViewProps) {
  switch (difference.kind) {
    case 'same':
      return (
        <div className="pl-6 [contain-intrinsic-size:auto_2rem] [content-visibility:auto]">
          <BlockView block={difference.block} number={number} />
        </div>
      )
    case 'added':
      return (
        <ChangedBlock sign="+" Tag="ins" className="border-good bg-good/10">
          <BlockView block={difference.block} number={number} />
        </ChangedBlock>
      )
    case 'removed':
      return (
        <ChangedBlock sign="−" Tag="del" className="border-danger bg-danger/8">
          <BlockView block={difference.block} number={number} />
        </ChangedBlock>
      )
    case 'text':
      return (
        <ChangedBlock sign="~" Tag="div" className="border-accent">
          <KindChange before={difference.before} after={difference.after} />
          <StyledBlock block={difference.after}>
            <DiffPiecesView pieces={difference.pieces} />
          </StyledBlock>
        </ChangedBlock>
      )
    case 'blocks':
      return (
        <div className="flex flex-col gap-1">
          <KindChange before={difference.before} after={difference.after} />
          {difference.children.map((child) => (
            <DifferenceView
              key={'block' in child ? `${child.kind} ${child.block.id}` : child.after.id}
              difference={child}
              number={
                child.kind === 'removed'
                  ? numberIn(difference.before, child.block)
                  : numberIn(difference.after, 'block' in child ? child.block : child.after)
              }
            />
          ))}
        </div>
      )
  }
}

interface ChangedBlockProps {
  readonly sign: string
  readonly Tag: 'ins' | 'del' | 'div'
  readonly className: string
  readonly children: ReactNode
}

const ChangedBlock = ({ sign, Tag, className, children }: ChangedBlockProps) => (
  <Tag data-change="" className={`relative block rounded-r border-l-2 pl-5.5 no-underline ${className}`}>
    <span aria-hidden className="absolute left-1.5 font-mono text-sm/relaxed select-none">
      {sign}
    </span>
    {children}
  </Tag>
)

export function KindChange({ before, after }: { before: Block; after: Block }) {
  const change = kindChangeText(before, after)
  return change === null ? null : <p className="font-sans text-xs text-muted">{change}</p>
}

function numberIn(list: Block, item: TreeNode): number | undefined {
  const first = definitionOf(list.name)?.firstNumber?.(list.attributes)
  return first === undefined ? undefined : first + list.children.indexOf(item)
}

/** Draws boxes and signs for lists and quotes, because this is a comparison to read and not a list of its own. */
export function BlockView({ block, number }: { block: Block; number?: number | undefined }) {
  if (isTextBlock(block)) {
    return (
      <StyledBlock block={block}>
        {block.children.map((node) =>
          isTextNode(node)
            ? // Runs have no name of their own, and are redrawn with their text.
              node.runs.map(({ text, marks }, index) => <StyledText key={index} text={text} marks={marks} />)
            : shownTextOf(node),
        )}
      </StyledBlock>
    )
  }
  const definition = definitionOf(block.name)
  if (definition?.letters) return <p className="font-mono text-sm">{definition.letters(block.attributes)}</p>
  if (definition && !definition.schema.content) return <div className="my-3 w-24 border-t border-edge" />
  const sign = number === undefined ? definition?.sign?.(block.attributes) : `${number}.`
  return (
    <div className="flex gap-2">
      {sign !== undefined && (
        <span aria-hidden className="text-muted">
          {sign}
        </span>
      )}
      <div className="min-w-0 flex-1">
        {block.name === picture.name && <VersionPicture block={block} />}
        {block.children.map(
          (node) =>
            !isTextNode(node) && <BlockView key={node.id} block={node} number={numberIn(block, node)} />,
        )}
      </div>
    </div>
  )
}

export function StyledBlock({ block, children }: { block: Block; children: ReactNode }) {
  if (definitionOf(block.name)?.schema.code)
    return <div className="font-mono text-sm whitespace-pre-wrap">{children}</div>
  const level = headingLevelOf(block.name, block.attributes)
  const className = level === null ? '' : level === 1 ? 'text-xl font-semibold' : 'font-semibold'
  return (
    <p
      {...alignmentFields(block.attributes)}
      className={`min-h-[1em] whitespace-pre-wrap [&_code]:text-[0.9em] ${className}`}
    >
      {children}
    </p>
  )
}

/** Underlines added letters and strikes removed ones through: colour alone would tell some readers nothing. */
export const DiffPiecesView = ({ pieces }: { pieces: readonly DiffPiece[] }) =>
  pieces.map((piece, index) => <DiffPieceView key={index} piece={piece} />)

function DiffPieceView({ piece }: { piece: DiffPiece }) {
  const letters = <StyledText text={piece.text} marks={piece.marks} />
  switch (piece.kind) {
    case 'same':
      return letters
    case 'added':
      return (
        <ins className="rounded-xs bg-good/15 decoration-good decoration-2 underline-offset-2">{letters}</ins>
      )
    case 'removed':
      return <del className="rounded-xs bg-danger/12 decoration-danger">{letters}</del>
    case 'marked':
      return (
        <span
          title={marksChangeText(piece.before, piece.marks)}
          className="underline decoration-accent decoration-dotted decoration-2 underline-offset-4"
        >
          {letters}
        </span>
      )
  }
}

const shownMarks = markDefinitions.filter((mark) => mark !== link)

/** Makes no links: this is for comparing, and anybody may have written it. */
export function StyledText({ text, marks }: { text: string; marks: TextMarks }) {
  const letters = <MarkedLetters run={{ text, marks }} shown={shownMarks} />
  return link.name in marks ? <span className="text-accent">{letters}</span> : letters
}
