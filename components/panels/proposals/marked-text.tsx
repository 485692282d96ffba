import type { ReactNode } from 'react'
import { StyledBlock, StyledText } from '@/components/panels/history/difference-view.tsx'
import { shownTextOf } from '@/lib/text/plain-text.ts'
import { type Block, isTextNode, type TextRun } from '@/lib/text/tree.ts'

/** Letters of a text node that a change is about. */
export interface MarkedRange {
  /** The id of the text node; null for the only one. */
  readonly text: string | null
  readonly range: readonly [from: number, to: number]
  readonly number: number
  /** Accepted or rejected. */
  readonly isDone: boolean
  /** It stays as it is. */
  readonly isPlain: boolean
}

interface MarkedTextProps {
  readonly block: Block | undefined
  readonly ranges: readonly MarkedRange[]
  /** `del` for what the proposal takes away, `ins` for what it adds. */
  readonly Tag: 'ins' | 'del'
}

/** A text block, with the changed words marked by underline or strike-through and a number. */
export function MarkedText({ block, ranges, Tag }: MarkedTextProps) {
  if (!block) return null
  return (
    <StyledBlock block={block}>
      {block.children.map((node) =>
        isTextNode(node)
          ? markedRuns(
              node.runs,
              ranges.filter(({ text }) => text === null || text === node.id),
              Tag,
            )
          : shownTextOf(node),
      )}
    </StyledBlock>
  )
}

export const MarkedTitle = ({ title, ranges, Tag }: Omit<MarkedTextProps, 'block'> & { title: string }) => (
  <p className="text-xl font-semibold">{markedRuns([{ text: title, marks: {} }], ranges, Tag)}</p>
)

function markedRuns(
  runs: readonly TextRun[],
  ranges: readonly MarkedRange[],
  Tag: 'ins' | 'del',
): ReactNode[] {
  const pieces: ReactNode[] = []
  let at = 0
  for (const { range, number, isDone, isPlain } of ranges) {
    const [from, to] = range
    pieces.push(...runsBetween(runs, at, from))
    if (isPlain) pieces.push(...runsBetween(runs, from, to))
    else if (to > from)
      pieces.push(
        <Tag key={`change ${number}`} className={isDone ? doneLook : looks[Tag]}>
          {runsBetween(runs, from, to)}
          <sup aria-hidden className="font-sans text-[0.65em] text-muted no-underline select-none">
            {number}
          </sup>
        </Tag>,
      )
    at = to
  }
  return [...pieces, ...runsBetween(runs, at, Number.POSITIVE_INFINITY)]
}

const looks = {
  ins: 'rounded-xs bg-good/15 decoration-good decoration-2 underline-offset-2',
  del: 'rounded-xs bg-danger/12 decoration-danger',
}
const doneLook = 'text-muted decoration-dotted'

function runsBetween(runs: readonly TextRun[], from: number, to: number): ReactNode[] {
  let start = 0
  return runs.flatMap(({ text, marks }) => {
    const [begin, end] = [Math.max(from - start, 0), Math.min(to - start, text.length)]
    const key = `${start + begin}`
    start += text.length
    return begin < end ? [<StyledText key={key} text={text.slice(begin, end)} marks={marks} />] : []
  })
}
