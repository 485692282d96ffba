import { ArrowDown, ArrowUp, RotateCcw } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import {
  type BlockDifference,
  differencesBetween,
  differenceSummaryOf,
  oneSideOf,
  type TextSide,
} from '@/lib/text/diff.ts'
import type { ChangedPlace } from '@/lib/text/restore.ts'
import { diffRuns } from '@/lib/text/word-diff.ts'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { IconButton } from '@/components/ui/icon-button.tsx'
import { DifferenceView, DiffPiecesView } from './difference-view.tsx'
import { goToChange } from './go-to-change.ts'
import { useLinkedChanges } from './use-linked-changes.ts'
import type { VersionPair } from './version-pair.ts'
import { useChangeAuthors } from './use-change-authors.ts'
import type { TitledText } from './use-current-text.ts'
import { summaryText } from './history-text.ts'
import { historyStrings } from '@/lib/strings/history.ts'

interface VersionChangesProps {
  readonly document: string
  readonly opened: OpenDocument
  readonly before: TitledText
  readonly after: TitledText
  /** Only this text is shown, and the other one in another window. */
  readonly ownSide?: { readonly side: TextSide; readonly pair: VersionPair } | undefined
  /** Missing where the text after is not the present one, or may not be changed. */
  readonly onRestore?: ((place: ChangedPlace) => void) | undefined
}

/** Shows all differences, with a little unchanged text around them. */
export function VersionChanges({ document, opened, before, after, ownSide, onRestore }: VersionChangesProps) {
  const [shownGaps, setShownGaps] = useState<ReadonlySet<string>>(new Set())
  const list = useRef<HTMLDivElement>(null)
  const differences = useMemo(
    () => differencesBetween(before.blocks, after.blocks),
    [before.blocks, after.blocks],
  )
  const isSame = before.title === after.title && differences.every(({ kind }) => kind === 'same')
  const side = ownSide?.side
  const rows = useMemo(
    () => (side ? differences.flatMap((one, at) => rowOfSide(one, at, side)) : rowsOf(differences)),
    [differences, side],
  )
  const tellOther = useLinkedChanges(document, ownSide?.pair, list)
  const step = (direction: 1 | -1) => {
    const row = goToChange(list.current, direction)?.closest<HTMLElement>('[data-row]')
    if (row) tellOther(Number(row.dataset['row']))
  }
  const authorsOf = useChangeAuthors(document, opened, before, differences)
  const showGap = (key: string) => setShownGaps((shown) => new Set(shown).add(key))
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex min-h-9 items-center gap-1">
        <output className="flex-1 text-sm text-muted">{changesSentence(before, after, differences)}</output>
        <StepButton
          name={historyStrings.changes.previous}
          Icon={ArrowUp}
          disabled={isSame}
          onClick={() => step(-1)}
        />
        <StepButton
          name={historyStrings.changes.next}
          Icon={ArrowDown}
          disabled={isSame}
          onClick={() => step(1)}
        />
      </div>
      <div
        // Views of differences do not look at their sides.
        key={side ?? 'both'}
        ref={list}
        className="flex flex-col gap-2 font-serif text-[1.0625rem]/relaxed [overflow-wrap:anywhere]"
      >
        <TitleChange before={before.title} after={after.title} side={side} />
        {rows.map((row) =>
          'difference' in row ? (
            <ChangedRow
              key={row.key}
              at={row.at}
              difference={row.difference}
              authors={authorsOf(row.at === undefined ? row.difference : differences[row.at]!)}
              onRestore={onRestore}
            />
          ) : shownGaps.has(row.key) ? (
            row.gap.map((difference) => <DifferenceView key={rowKeyOf(difference)} difference={difference} />)
          ) : (
            <GapRow key={row.key} count={row.gap.length} onShow={() => showGap(row.key)} />
          ),
        )}
      </div>
    </div>
  )
}

interface ChangedRowProps {
  /** The number of the difference, where its text stands alone. */
  readonly at?: number | undefined
  readonly difference: BlockDifference
  /** Who made it and when; null where nobody can know. */
  readonly authors: string | null
  readonly onRestore: VersionChangesProps['onRestore']
}

function ChangedRow({ at, difference, authors, onRestore }: ChangedRowProps) {
  if (difference.kind === 'same' && at === undefined) return <DifferenceView difference={difference} />
  return (
    <div data-row={at} className="flex items-start gap-1">
      <div className="min-w-0 flex-1">
        <DifferenceView difference={difference} />
        {authors !== null && <p className="pl-6 font-sans text-xs text-muted">{authors}</p>}
      </div>
      {onRestore && (
        <IconButton
          name={historyStrings.changes.restore}
          Icon={RotateCcw}
          onClick={() => onRestore(placeOf(difference))}
        />
      )}
    </div>
  )
}

function placeOf(difference: BlockDifference): ChangedPlace {
  if (!('block' in difference)) return { current: difference.after.id, past: difference.before.id }
  const { id } = difference.block
  return difference.kind === 'removed' ? { current: null, past: id } : { current: id, past: null }
}

const changesSentence = (
  before: TitledText,
  after: TitledText,
  differences: readonly BlockDifference[],
): string => {
  const summary = differenceSummaryOf(differences)
  if (before.title === after.title) return summaryText(summary)
  return summary.blocks === 0
    ? historyStrings.changes.titleChanged
    : historyStrings.changes.titleChangedToo(summaryText(summary))
}

interface StepButtonProps {
  readonly name: string
  readonly Icon: typeof ArrowUp
  readonly disabled: boolean
  readonly onClick: () => void
}

/** Keeps the focus while it is disabled, as when somebody restores the version. */
const StepButton = ({ name, Icon, disabled, onClick }: StepButtonProps) => (
  <button
    type="button"
    aria-label={name}
    aria-disabled={disabled}
    onClick={onClick}
    className={buttonClass({ look: 'quiet', shape: 'icon' })}
  >
    <Icon size={18} aria-hidden />
  </button>
)

interface TitleChangeProps {
  readonly before: string
  readonly after: string
  readonly side: TextSide | undefined
}

function TitleChange({ before, after, side }: TitleChangeProps) {
  if (before === after) return null
  const hidden = side && (side === 'before' ? 'added' : 'removed')
  const pieces = diffRuns([{ text: before, marks: {} }], [{ text: after, marks: {} }]).filter(
    ({ kind }) => kind !== hidden,
  )
  return (
    <p data-change="" className="text-2xl/snug font-semibold">
      <span className="sr-only">{historyStrings.changes.title} </span>
      <DiffPiecesView pieces={pieces} />
    </p>
  )
}

const GapRow = ({ count, onShow }: { count: number; onShow: () => void }) => (
  <Button look="quiet" shape="small" onClick={onShow} className="self-start font-sans">
    {historyStrings.changes.same(count)}
  </Button>
)

type DifferenceRow =
  | { readonly key: string; readonly difference: BlockDifference; readonly at?: number }
  | { readonly key: string; readonly gap: readonly BlockDifference[] }

/** How many unchanged blocks are shown before and after a change. */
const CONTEXT_BLOCKS = 1
/** A shorter gap is shown instead of counted. */
const MIN_GAP_BLOCKS = 3

function rowOfSide(difference: BlockDifference, at: number, side: TextSide): DifferenceRow[] {
  const shown = oneSideOf(difference, side)
  return shown ? [{ key: rowKeyOf(difference), difference: shown, at }] : []
}

/** Turns each run of unchanged blocks into one row, except for its ends. */
function rowsOf(differences: readonly BlockDifference[]): DifferenceRow[] {
  const rows: DifferenceRow[] = []
  let from = 0
  while (from < differences.length) {
    let to = from
    while (to < differences.length && differences[to]!.kind === 'same') to += 1
    rows.push(...rowsOfStretch(differences.slice(from, to), from === 0, to === differences.length))
    if (to < differences.length) rows.push({ key: rowKeyOf(differences[to]!), difference: differences[to]! })
    from = to + 1
  }
  return rows
}

function rowsOfStretch(same: readonly BlockDifference[], isFirst: boolean, isLast: boolean): DifferenceRow[] {
  const [leading, trailing] = [isFirst ? 0 : CONTEXT_BLOCKS, isLast ? 0 : CONTEXT_BLOCKS]
  const rowOf = (difference: BlockDifference): DifferenceRow => ({ key: rowKeyOf(difference), difference })
  if (same.length < leading + trailing + MIN_GAP_BLOCKS) return same.map(rowOf)
  const gap = same.slice(leading, same.length - trailing)
  return [
    ...same.slice(0, leading).map(rowOf),
    { key: `gap ${rowKeyOf(gap[0]!)}`, gap },
    ...same.slice(same.length - trailing).map(rowOf),
  ]
}

/** A moved block is removed in one place and added in another under the same id, so the id alone is no key. */
const rowKeyOf = (difference: BlockDifference): string =>
  'block' in difference
    ? `${difference.kind} ${difference.block.id}`
    : `${difference.kind} ${difference.after.id}`
