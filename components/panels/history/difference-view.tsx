import { memo, type ReactNode } from 'react'
import type { Difference } from '@/lib/text/diff.ts'
import { isText, type Block, type Marks } from '@/lib/text/tree.ts'
import { isTextBlock } from '@/lib/text/plain.ts'
import type { Piece } from '@/lib/text/words.ts'
import { changeOfKind, changeOfMarks } from './words'

/** Drawn again only when the block itself changed: `Difference` objects come new each time. */
export const DifferenceView = memo(DrawnDifference, (a, b) => isSame(a.difference, b.difference))

function isSame(a: Difference, b: Difference): boolean {
  if ('block' in a) return 'block' in b && a.kind === b.kind && a.block === b.block
  return a.kind === b.kind && a.before === b.before && a.after === b.after
}

function DrawnDifference({ difference }: { difference: Difference }) {
  switch (difference.kind) {
    case 'same':
      return (
        <div className="pl-6 [contain-intrinsic-size:auto_2rem] [content-visibility:auto]">
          <BlockView block={difference.block} />
        </div>
      )
    case 'added':
      return (
        <Change sign="+" Tag="ins" look="border-good bg-good/10">
          <BlockView block={difference.block} />
        </Change>
      )
    case 'removed':
      return (
        <Change sign="−" Tag="del" look="border-danger bg-danger/8">
          <BlockView block={difference.block} />
        </Change>
      )
    case 'text':
      return (
        <Change sign="~" Tag="div" look="border-accent">
          <KindChange before={difference.before} after={difference.after} />
          <Dressed block={difference.after}>
            <PiecesView pieces={difference.pieces} />
          </Dressed>
        </Change>
      )
    case 'blocks':
      return (
        <div className="flex flex-col gap-1">
          <KindChange before={difference.before} after={difference.after} />
          {difference.children.map((child) => (
            <DifferenceView
              key={'block' in child ? `${child.kind} ${child.block.id}` : child.after.id}
              difference={child}
            />
          ))}
        </div>
      )
  }
}

interface ChangeProps {
  readonly sign: string
  readonly Tag: 'ins' | 'del' | 'div'
  readonly look: string
  readonly children: ReactNode
}

const Change = ({ sign, Tag, look, children }: ChangeProps) => (
  <Tag data-change="" className={`relative block rounded-r border-l-2 pl-5.5 no-underline ${look}`}>
    <span aria-hidden className="absolute left-1.5 font-mono text-sm/relaxed select-none">
      {sign}
    </span>
    {children}
  </Tag>
)

function KindChange({ before, after }: { before: Block; after: Block }) {
  const change = changeOfKind(before, after)
  return change === null ? null : <p className="font-sans text-xs text-muted">{change}</p>
}

const signs: Readonly<Record<string, (block: Block) => string>> = {
  listItem: () => '•',
  taskItem: ({ attributes }) => (attributes['checked'] === true ? '☑' : '☐'),
  blockquote: () => '❝',
}

/** Boxes and signs for lists and quotes: what is compared here is read, and not a list of its own. */
function BlockView({ block }: { block: Block }) {
  if (isTextBlock(block)) {
    return (
      <Dressed block={block}>
        {block.children.map((part) =>
          isText(part)
            ? // Runs have no name of their own, and are drawn anew with their text.
              part.runs.map(({ text, marks }, index) => <Letters key={index} text={text} marks={marks} />)
            : '\n',
        )}
      </Dressed>
    )
  }
  if (block.name === 'horizontalRule') return <div className="my-3 w-24 border-t border-edge" />
  const sign = signs[block.name]?.(block)
  return (
    <div className="flex gap-2">
      {sign !== undefined && (
        <span aria-hidden className="text-muted">
          {sign}
        </span>
      )}
      <div className="min-w-0 flex-1">
        {block.children.map((part) => !isText(part) && <BlockView key={part.id} block={part} />)}
      </div>
    </div>
  )
}

function Dressed({ block, children }: { block: Block; children: ReactNode }) {
  const { name, attributes } = block
  if (name === 'codeBlock') return <div className="font-mono text-sm whitespace-pre-wrap">{children}</div>
  const look =
    name === 'heading' ? (Number(attributes['level']) === 1 ? 'text-xl font-semibold' : 'font-semibold') : ''
  return <p className={`min-h-[1em] whitespace-pre-wrap ${look}`}>{children}</p>
}

/** Letters that came are underlined, those that went struck through: colour alone would tell some readers nothing. */
export const PiecesView = ({ pieces }: { pieces: readonly Piece[] }) =>
  pieces.map((piece, index) => <PieceView key={index} piece={piece} />)

function PieceView({ piece }: { piece: Piece }) {
  const letters = <Letters text={piece.text} marks={piece.marks} />
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
          title={changeOfMarks(piece.before, piece.marks)}
          className="underline decoration-accent decoration-dotted decoration-2 underline-offset-4"
        >
          {letters}
        </span>
      )
  }
}

const dresses: Readonly<Record<string, string>> = {
  bold: 'font-bold',
  italic: 'italic',
  code: 'font-mono text-[0.9em]',
  link: 'text-accent',
}

/** No links: this is to be compared, and whoever wrote it may have written anything. */
function Letters({ text, marks }: { text: string; marks: Marks }) {
  const dress = Object.keys(marks).flatMap((name) => dresses[name] ?? [])
  const inner = dress.length === 0 ? text : <span className={dress.join(' ')}>{text}</span>
  if ('strike' in marks) return <s>{inner}</s>
  return 'underline' in marks ? <u>{inner}</u> : inner
}
