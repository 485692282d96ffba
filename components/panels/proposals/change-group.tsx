import { Check, MessageSquare, RotateCcw, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { CommentAuthor } from '@/lib/comments/stored-thread.ts'
import type {
  AcceptMode,
  ChangedBlock,
  ChangedWords,
  ProposedChange,
} from '@/lib/proposals/proposed-changes.ts'
import type { Block } from '@/lib/text/tree.ts'
import { useShownPeople } from '@/components/following/use-shown-people.ts'
import type { ChangeDecision, ProposalDetails } from '@/components/http-api.ts'
import { BlockView, KindChange } from '@/components/panels/history/difference-view.tsx'
import { Button } from '@/components/ui/button.tsx'
import { ChangeComments } from './change-comments.tsx'
import { MarkedText, MarkedTitle, type MarkedRange } from './marked-text.tsx'
import { type ChangeStatus, isDecided } from './review-rows.ts'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

export interface ChangeActions {
  readonly isBusy: boolean
  accept(this: void, changes: readonly ProposedChange[], mode: AcceptMode): void
  /** @param of The id of whoever made the decision that this one replaces; this window's person if missing. */
  decide(this: void, key: string, decision: ChangeDecision | null, of?: string): void
}

interface ChangeGroupProps {
  /** Of one line, or one alone. */
  readonly changes: readonly ProposedChange[]
  readonly numberOf: (change: ProposedChange) => number
  readonly statusOf: (change: ProposedChange) => ChangeStatus
  /** Whether it has come since the reviewer looked. */
  readonly isNew: (change: ProposedChange) => boolean
  readonly decisions: ProposalDetails['decisions']
  /** The id of this window's person. */
  readonly ownId: string
  readonly active: string | null
  readonly originalBlocks: ReadonlyMap<string, Block>
  readonly proposedBlocks: ReadonlyMap<string, Block>
  readonly titles: readonly [original: string, proposal: string]
  readonly proposal: OpenDocument
  readonly commenter: CommentAuthor | null
  /** Null for whoever may not decide. */
  readonly actions: ChangeActions | null
  readonly isOpen: boolean
  readonly onChoose: (change: ProposedChange) => void
}

/** A line or block of the two texts beside each other, and what can be done about each change in it. */
export function ChangeGroup(props: ChangeGroupProps) {
  const { changes, active } = props
  const isActive = changes.some(({ key }) => key === active)
  return (
    <section
      className={`flex flex-col gap-2 rounded-lg border p-2 ${isActive ? 'border-accent' : 'border-line'}`}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 font-serif text-[1.0625rem]/relaxed [overflow-wrap:anywhere] @3xl:grid-cols-2">
        <TwoSides {...props} />
      </div>
      <ul className="flex flex-col gap-1.5">
        {changes.map((change) => (
          <li key={change.key}>
            <ChangeRow {...props} change={change} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function TwoSides(props: ChangeGroupProps) {
  const [first] = props.changes
  return first?.kind === 'words' ? (
    <WordSides {...props} changes={props.changes as readonly ChangedWords[]} />
  ) : (
    <BlockSides change={first as ChangedBlock} />
  )
}

function WordSides({
  changes,
  numberOf,
  statusOf,
  originalBlocks,
  proposedBlocks,
  titles,
}: Omit<ChangeGroupProps, 'changes'> & { changes: readonly ChangedWords[] }) {
  const rangesOf = (side: 'original' | 'proposed'): MarkedRange[] =>
    changes.map((change) => ({
      text: side === 'original' ? change.originalText : change.proposedText,
      range: side === 'original' ? change.originalRange : change.proposedRange,
      number: numberOf(change),
      isDone: isDecided(statusOf(change)),
      isPlain: side === 'original' && change.state === 'proposed',
    }))
  const [{ block, originalBlock, proposedBlock }] = changes as [ChangedWords]
  if (block === null)
    return (
      <>
        <Side sign="−" label={proposalsStrings.review.original}>
          <MarkedTitle title={titles[0]} ranges={rangesOf('original')} Tag="del" />
        </Side>
        <Side sign="+" label={proposalsStrings.review.proposal}>
          <MarkedTitle title={titles[1]} ranges={rangesOf('proposed')} Tag="ins" />
        </Side>
      </>
    )
  return (
    <>
      <Side sign="−" label={proposalsStrings.review.original}>
        <MarkedText block={originalBlocks.get(originalBlock ?? '')} ranges={rangesOf('original')} Tag="del" />
      </Side>
      <Side sign="+" label={proposalsStrings.review.proposal}>
        <MarkedText block={proposedBlocks.get(proposedBlock ?? '')} ranges={rangesOf('proposed')} Tag="ins" />
      </Side>
    </>
  )
}

function BlockSides({ change }: { change: ChangedBlock }) {
  const { kind, state, before, after, present, parts = after ? [after] : [] } = change
  const isSettled = state === 'proposed'
  const former = state === 'gone' || kind === 'added' ? null : before
  const shown = present ?? (isSettled ? null : former)
  // The original has all parts of a line that was split, too.
  const shownBlocks = isSettled && kind === 'split' ? parts : shown ? [shown] : []
  return (
    <>
      <Side sign="−" label={proposalsStrings.review.original} isChanged={shown !== null && !isSettled}>
        {shownBlocks.length === 0 && <Absent />}
        {shownBlocks.map((block) => (
          <BlockView key={block.id} block={block} />
        ))}
      </Side>
      <Side sign="+" label={proposalsStrings.review.proposal} isChanged={after !== null}>
        {before && after && <KindChange before={before} after={after} />}
        {after === null && <Absent />}
        {parts.map((block) => (
          <BlockView key={block.id} block={block} />
        ))}
      </Side>
    </>
  )
}

const Absent = () => <p className="font-sans text-sm text-muted">{proposalsStrings.review.absent}</p>

interface SideProps {
  readonly sign: '−' | '+'
  readonly label: string
  /** Whether all of it is, and not single words. */
  readonly isChanged?: boolean
  readonly children: ReactNode
}

/** Signs and words say which side it is, not the colour alone. */
function Side({ sign, label, isChanged = false, children }: SideProps) {
  const look = sign === '+' ? 'border-good' : 'border-danger'
  const ground = !isChanged ? '' : sign === '+' ? 'bg-good/10' : 'bg-danger/8'
  return (
    <div className={`relative min-w-0 rounded-r border-l-2 py-0.5 pr-1 pl-5.5 ${look} ${ground}`}>
      <span aria-hidden className="absolute left-1.5 font-mono text-sm/relaxed select-none">
        {sign}
      </span>
      <span className="sr-only @max-3xl:not-sr-only @max-3xl:block @max-3xl:font-sans @max-3xl:text-xs @max-3xl:text-muted">
        {label}
      </span>
      {children}
    </div>
  )
}

interface ChangeRowProps extends ChangeGroupProps {
  readonly change: ProposedChange
}

function ChangeRow(props: ChangeRowProps) {
  const { change, numberOf, statusOf, active, actions, isOpen, onChoose, proposal, commenter } = props
  const [isCommenting, setCommenting] = useState(false)
  const status = statusOf(change)
  const decided = props.decisions[change.key]
  const personOf = useShownPeople()
  const isSoDecided = decided && (decided.decision === 'rejected') === (status === 'rejected')
  const decider = isSoDecided ? (decided.by.id === props.ownId ? null : personOf(decided.by).name) : undefined
  const number = proposalsStrings.change.number(numberOf(change))
  const isTitle = change.kind === 'words' && change.block === null
  const kind = isTitle ? proposalsStrings.change.title : proposalsStrings.change.kinds[change.kind]
  const hasConflict = isOpen && status === 'open' && (change.state === 'changed' || change.state === 'gone')
  return (
    <fieldset aria-label={number} className="flex min-w-0 flex-col gap-1 text-sm">
      <div className="flex flex-wrap items-center gap-1">
        <button
          type="button"
          data-change-key={change.key}
          aria-current={change.key === active}
          onClick={() => onChoose(change)}
          className="mr-auto min-h-8 rounded-lg px-1.5 text-left hover:bg-sunk"
        >
          <span className="font-medium">{number}</span> <span className="text-muted">{kind}</span>
          {props.isNew(change) && (
            <span className="ml-1.5 rounded-full bg-accent-soft px-1.5 py-0.5 text-xs font-medium text-accent">
              {proposalsStrings.change.isNew}
            </span>
          )}
        </button>
        {status === 'open' && actions && !hasConflict && (
          <>
            <ActionButton
              Icon={Check}
              label={proposalsStrings.change.accept}
              disabled={actions.isBusy}
              onClick={() => actions.accept([change], 'replace')}
            />
            <ActionButton
              Icon={X}
              label={proposalsStrings.change.reject}
              disabled={actions.isBusy}
              onClick={() => actions.decide(change.key, 'rejected')}
            />
          </>
        )}
        {status !== 'open' && (
          <span className="inline-flex items-center gap-1 text-muted">
            {status === 'rejected' ? <X size={16} aria-hidden /> : <Check size={16} aria-hidden />}
            {sentenceOf(status, decider)}
          </span>
        )}
        {actions && decided && change.state !== 'proposed' && (
          <ActionButton
            Icon={RotateCcw}
            label={proposalsStrings.change.takeBack}
            disabled={actions.isBusy}
            onClick={() => actions.decide(change.key, null, decided.by.id)}
          />
        )}
        {commenter && (
          <ActionButton
            Icon={MessageSquare}
            label={proposalsStrings.change.comment}
            onClick={() => setCommenting(true)}
          />
        )}
      </div>
      {hasConflict && <Conflict change={change} actions={actions} />}
      <ChangeComments
        change={change}
        proposal={proposal}
        commenter={commenter}
        isCommenting={isCommenting}
        onDone={() => setCommenting(false)}
      />
    </fieldset>
  )
}

/** @param decider Missing where nobody has decided so; null for this window's person. */
function sentenceOf(status: Exclude<ChangeStatus, 'open'>, decider: string | null | undefined): string {
  if (decider === undefined) return proposalsStrings.change.inOriginal
  return proposalsStrings.change.decided[status](decider)
}

interface ActionButtonProps {
  readonly Icon: typeof Check
  readonly label: string
  readonly disabled?: boolean
  readonly onClick: () => void
}

const ActionButton = ({ Icon, label, disabled = false, onClick }: ActionButtonProps) => (
  <Button shape="small" look="quiet" disabled={disabled} onClick={onClick}>
    <Icon size={16} aria-hidden /> {label}
  </Button>
)

/** Shows both wordings: the proposal's is above. */
function Conflict({ change, actions }: { change: ProposedChange; actions: ChangeActions | null }) {
  const { key, state, canKeepBoth } = change
  return (
    <div className="flex flex-col gap-1 rounded-lg border border-wait/60 bg-wait/5 p-2">
      <p>{state === 'gone' ? proposalsStrings.change.gone : proposalsStrings.change.conflict}</p>
      {state === 'changed' && (
        <div className="font-serif text-[1.0625rem]/relaxed">
          <Present change={change} />
        </div>
      )}
      {actions && (
        <div className="flex flex-wrap gap-1">
          <Button shape="small" disabled={actions.isBusy} onClick={() => actions.accept([change], 'replace')}>
            {proposalsStrings.change.takeProposal}
          </Button>
          <Button shape="small" disabled={actions.isBusy} onClick={() => actions.decide(key, 'rejected')}>
            {proposalsStrings.change.keepOriginal}
          </Button>
          {canKeepBoth && (
            <Button shape="small" disabled={actions.isBusy} onClick={() => actions.accept([change], 'both')}>
              {proposalsStrings.change.both}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function Present({ change }: { change: ProposedChange }) {
  if (change.kind !== 'words') return change.present && <BlockView block={change.present} />
  const words = change.present.map(({ text }) => text).join('')
  return words === '' ? (
    <p className="font-sans text-muted">{proposalsStrings.change.nothing}</p>
  ) : (
    <p>{proposalsStrings.change.quoted(words)}</p>
  )
}

/** A gap this short is shown instead of counted. */
const SHOWN_GAP = 2

export function GapRow({ blocks }: { blocks: readonly Block[] }) {
  const [isShown, setShown] = useState(blocks.length <= SHOWN_GAP)
  if (!isShown)
    return (
      <Button look="quiet" shape="small" className="self-start" onClick={() => setShown(true)}>
        {proposalsStrings.review.gap(blocks.length)}
      </Button>
    )
  return (
    <div className="px-2 font-serif text-[1.0625rem]/relaxed text-muted [overflow-wrap:anywhere]">
      {blocks.map((block) => (
        <BlockView key={block.id} block={block} />
      ))}
    </div>
  )
}
