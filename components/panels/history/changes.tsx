import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { type Difference, differencesBetween, summaryOf } from '@/lib/text/diff.ts'
import { comparePieces } from '@/lib/text/words.ts'
import { Button, buttonClass } from '@/components/ui/button'
import { DifferenceView, PiecesView } from './difference-view'
import { goToChange } from './go-to-change'
import type { Text } from './use-present'
import { summaryWords } from './words'
import { strings } from '@/lib/strings/history.ts'

interface ChangesProps {
  readonly before: Text
  readonly after: Text
}

/** All that differs, with a little of what does not around it. */
export function Changes({ before, after }: ChangesProps) {
  const [shownGaps, setShownGaps] = useState<ReadonlySet<string>>(new Set())
  const list = useRef<HTMLDivElement>(null)
  const differences = useMemo(
    () => differencesBetween(before.blocks, after.blocks),
    [before.blocks, after.blocks],
  )
  const rows = useMemo(() => rowsOf(differences), [differences])
  const show = (key: string) => setShownGaps((shown) => new Set(shown).add(key))
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex min-h-9 items-center gap-1">
        <output className="flex-1 text-sm text-muted">{sentence(before, after, differences)}</output>
        <Step name={strings.changes.previous} Icon={ArrowUp} onClick={() => goToChange(list.current, -1)} />
        <Step name={strings.changes.next} Icon={ArrowDown} onClick={() => goToChange(list.current, 1)} />
      </div>
      <div
        ref={list}
        className="flex flex-col gap-2 font-serif text-[1.0625rem]/relaxed [overflow-wrap:anywhere]"
      >
        <TitleChange before={before.title} after={after.title} />
        {rows.map((row) =>
          'difference' in row ? (
            <DifferenceView key={row.key} difference={row.difference} />
          ) : shownGaps.has(row.key) ? (
            row.gap.map((difference) => <DifferenceView key={keyOf(difference)} difference={difference} />)
          ) : (
            <Gap key={row.key} count={row.gap.length} onShow={() => show(row.key)} />
          ),
        )}
      </div>
    </div>
  )
}

const sentence = (before: Text, after: Text, differences: readonly Difference[]): string => {
  const summary = summaryOf(differences)
  if (before.title === after.title) return summaryWords(summary)
  return summary.blocks === 0
    ? strings.changes.titleChanged
    : strings.changes.titleChangedToo(summaryWords(summary))
}

interface StepProps {
  readonly name: string
  readonly Icon: typeof ArrowUp
  readonly onClick: () => void
}

const Step = ({ name, Icon, onClick }: StepProps) => (
  <button
    type="button"
    aria-label={name}
    onClick={onClick}
    className={buttonClass({ look: 'quiet', shape: 'icon' })}
  >
    <Icon size={18} aria-hidden />
  </button>
)

function TitleChange({ before, after }: { before: string; after: string }) {
  if (before === after) return null
  const pieces = comparePieces([{ text: before, marks: {} }], [{ text: after, marks: {} }])
  return (
    <p data-change="" className="text-2xl/snug font-semibold">
      <span className="sr-only">{strings.changes.title} </span>
      <PiecesView pieces={pieces} />
    </p>
  )
}

const Gap = ({ count, onShow }: { count: number; onShow: () => void }) => (
  <Button look="quiet" shape="small" onClick={onShow} className="self-start font-sans">
    {strings.changes.same(count)}
  </Button>
)

type Row =
  | { readonly key: string; readonly difference: Difference }
  | { readonly key: string; readonly gap: readonly Difference[] }

/** Blocks that are shown before and after a change. */
const CONTEXT = 1
/** Fewer are shown rather than counted. */
const MIN_GAP = 3

/** Stretches without a change become one row each, but for their ends. */
function rowsOf(differences: readonly Difference[]): Row[] {
  const rows: Row[] = []
  let from = 0
  while (from < differences.length) {
    let to = from
    while (to < differences.length && differences[to]!.kind === 'same') to += 1
    rows.push(...rowsOfStretch(differences.slice(from, to), from === 0, to === differences.length))
    if (to < differences.length) rows.push({ key: keyOf(differences[to]!), difference: differences[to]! })
    from = to + 1
  }
  return rows
}

function rowsOfStretch(same: readonly Difference[], isFirst: boolean, isLast: boolean): Row[] {
  const [head, tail] = [isFirst ? 0 : CONTEXT, isLast ? 0 : CONTEXT]
  const one = (difference: Difference): Row => ({ key: keyOf(difference), difference })
  if (same.length < head + tail + MIN_GAP) return same.map(one)
  const gap = same.slice(head, same.length - tail)
  return [
    ...same.slice(0, head).map(one),
    { key: `gap ${keyOf(gap[0]!)}`, gap },
    ...same.slice(same.length - tail).map(one),
  ]
}

/** A block that was moved is removed in one place and added in another, under one id. */
const keyOf = (difference: Difference): string =>
  'block' in difference
    ? `${difference.kind} ${difference.block.id}`
    : `${difference.kind} ${difference.after.id}`
