import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'
import type { CommentAuthor } from '@/lib/comments/stored-thread.ts'
import { startPositionOf } from '@/lib/following/text-position.ts'
import { MAX_DECISIONS_AT_ONCE } from '@/lib/protocol/limits.ts'
import {
  type AcceptMode,
  acceptChanges,
  areCurrent,
  changesOf,
  type ProposedChange,
} from '@/lib/proposals/proposed-changes.ts'
import { takeOverFiles } from '@/lib/files/take-over-files.ts'
import { filesOf } from '@/lib/proposals/proposed-files.ts'
import { mergesAsShown } from '@/lib/proposals/merges-as-shown.ts'
import { hasUnshownChanges } from '@/lib/proposals/unshown-changes.ts'
import { amountIn } from '@/lib/yjs-internals/struct-store.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { useGoTo } from '@/components/following/following-context.ts'
import { useShownPeople } from '@/components/following/use-shown-people.ts'
import type { AcceptanceRequest, DecisionsRequest, ProposalDetails } from '@/components/http-api.ts'
import { useCurrentText } from '@/components/panels/history/use-current-text.ts'
import {
  useDecisions,
  useProposalAction,
  type ProposalAction,
} from '@/components/proposals/proposal-queries.ts'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { IconButton } from '@/components/ui/icon-button.tsx'
import { RelativeTime } from '@/components/settings/relative-time.tsx'
import { toast } from '@/components/ui/toast.ts'
import { runUndoable } from '@/components/undo/run-undoable.ts'
import { undoOf } from '@/components/undo/undo-of.ts'
import { openNewWindow } from '@/components/windows/open-windows.ts'
import { ChangeGroup, GapRow, type ChangeActions } from './change-group.tsx'
import {
  blocksById,
  blocksOf,
  changeStatusOf,
  type ChangeStatus,
  isDecided,
  reviewRowsOf,
} from './review-rows.ts'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'
import { panelsStrings } from '@/lib/strings/panels.ts'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

interface ReviewTextsProps {
  readonly original: OpenDocument
  readonly proposal: OpenDocument
  readonly base: Y.Doc
  readonly details: ProposalDetails
  readonly originalId: string
  readonly proposalId: string
  /** Whether this window belongs to the original, and not to the proposal. */
  readonly isBesideOriginal: boolean
  readonly canDecide: boolean
  readonly isOnline: boolean
  /** The id of this window's person. */
  readonly ownId: string
  /** Null for whoever may not comment on the proposal. */
  readonly commenter: CommentAuthor | null
}

/** At first, and with each click: a proposal may change thousands of lines. */
const SHOWN_ROWS = 200

/** The two texts beside each other, change by change. */
export function ReviewTexts(props: ReviewTextsProps) {
  const { original, proposal, base, details, isBesideOriginal, canDecide, commenter } = props
  const changes = useChanges(props)
  const personOf = useShownPeople()
  const author = personOf(details.author).name
  const rows = useMemo(() => reviewRowsOf(base, proposal.doc, changes), [base, proposal, changes])
  const statusOf = (change: ProposedChange) => changeStatusOf(change, details.decisions[change.key])
  /** The keys of what was on screen when somebody tried to accept all and there was more. */
  const [seen, setSeen] = useState<ReadonlySet<string> | null>(null)
  const hasUnshown = useMemo(
    () => hasUnshownChanges(base, proposal.doc),
    // Read from the document, which stays the same object: with each change, and when there was more.
    // oxlint-disable-next-line react/exhaustive-deps
    [base, proposal, changes, seen],
  )
  const [active, setActive] = useState<string | null>(null)
  const [shownCount, setShownCount] = useState(SHOWN_ROWS)
  const list = useRef<HTMLElement>(null)
  const goTo = useGoTo()
  const originalBlocks = useMemo(
    () => blocksById(changes.length > 0 ? blocksOf(original.doc) : []),
    [original, changes],
  )
  const proposedBlocks = useMemo(
    () => blocksById(changes.length > 0 ? blocksOf(proposal.doc) : []),
    [proposal, changes],
  )
  const choose = (change: ProposedChange) => {
    setActive(change.key)
    const block = isBesideOriginal
      ? originalBlocks.get(change.originalBlock ?? '')
      : proposedBlocks.get(change.proposedBlock ?? '')
    if (block) goTo(startPositionOf(block.type), { within: true })
  }
  const step = (direction: 1 | -1) => {
    if (changes.length === 0) return
    const at = changes.findIndex(({ key }) => key === active)
    const next =
      changes[
        at === -1 && direction < 0 ? changes.length - 1 : (at + direction + changes.length) % changes.length
      ]!
    choose(next)
    focusChange(next.key)
  }
  useCommands([
    {
      id: 'next-change',
      title: proposalsStrings.review.next,
      section: 'Go to',
      keys: 'F7',
      run: () => step(1),
    },
    {
      id: 'previous-change',
      title: proposalsStrings.review.previous,
      section: 'Go to',
      keys: 'Shift+F7',
      run: () => step(-1),
    },
  ])
  const actions = useChangeActions(props, author)
  const focusChange = (key: string) =>
    list.current?.querySelector<HTMLElement>(`[data-change-key="${key}"]`)?.focus()
  /** The button that was pressed goes: the change that it was about takes the focus. */
  const focusing = ({ accept, decide }: ChangeActions): Pick<ChangeActions, 'accept' | 'decide'> => ({
    accept: (accepted, mode) => {
      focusChange(accepted[0]!.key)
      accept(accepted, mode)
    },
    decide: (key, decision, of) => {
      focusChange(key)
      decide(key, decision, of)
    },
  })
  const decided = changes.filter((change) => isDecided(statusOf(change))).length
  return (
    <>
      <header className="flex flex-col gap-1">
        <h3 className="font-serif text-lg font-semibold text-balance">
          {details.title || proposalsStrings.list.unnamed}
        </h3>
        <p className="text-sm text-muted">
          {author} · {proposalsStrings.states[details.state]} · <RelativeTime at={details.createdAt} />
        </p>
        <div className="flex min-h-9 flex-wrap items-center gap-1">
          <output className="mr-auto text-sm">
            {details.state !== 'open'
              ? null
              : changes.length === 0
                ? proposalsStrings.review.none
                : proposalsStrings.review.progress(decided, changes.length)}
          </output>
          <IconButton name={proposalsStrings.review.previous} Icon={ArrowUp} onClick={() => step(-1)} />
          <IconButton name={proposalsStrings.review.next} Icon={ArrowDown} onClick={() => step(1)} />
        </div>
        {hasUnshown && canDecide && (
          <p className="text-sm text-pretty text-muted">{proposalsStrings.review.unshown}</p>
        )}
        <ProposalButtons
          {...props}
          changes={changes}
          statusOf={statusOf}
          actions={actions}
          hasUnshown={hasUnshown}
          onUnseen={() => setSeen(new Set(changes.map(({ key }) => key)))}
        />
      </header>
      <div className="hidden gap-4 border-b border-line pb-1 text-sm font-medium @3xl:grid @3xl:grid-cols-2">
        <span>{proposalsStrings.review.original}</span>
        <span>{proposalsStrings.review.proposal}</span>
      </div>
      <section ref={list} aria-label={proposalsStrings.review.changes} className="flex flex-col gap-3">
        {rows
          .slice(0, shownCount)
          .map((row) =>
            'gap' in row ? (
              <GapRow key={row.key} blocks={row.gap} />
            ) : (
              <ChangeGroup
                key={row.key}
                changes={row.changes}
                numberOf={(change) => changes.indexOf(change) + 1}
                statusOf={statusOf}
                isNew={({ key }) => seen !== null && !seen.has(key)}
                decisions={details.decisions}
                ownId={props.ownId}
                active={active}
                originalBlocks={originalBlocks}
                proposedBlocks={proposedBlocks}
                titles={[original.doc.getText('title').toJSON(), proposal.doc.getText('title').toJSON()]}
                proposal={proposal}
                commenter={commenter}
                actions={canDecide ? { ...actions, ...focusing(actions) } : null}
                isOpen={details.state === 'open'}
                onChoose={choose}
              />
            ),
          )}
        {rows.length > shownCount && (
          <Button shape="small" className="self-start" onClick={() => setShownCount(shownCount + SHOWN_ROWS)}>
            {proposalsStrings.list.more}
          </Button>
        )}
      </section>
    </>
  )
}

/** Found anew while somebody writes in one of the texts. */
function useChanges({ original, proposal, base }: ReviewTextsProps): readonly ProposedChange[] {
  const [now, proposed] = [useCurrentText(original.doc), useCurrentText(proposal.doc)]
  return useMemo(
    () => changesOf({ base, original: original.doc, proposal: proposal.doc }),
    // Read from the documents, which stay the same objects while what they hold changes.
    // oxlint-disable-next-line react/exhaustive-deps
    [base, original, proposal, now.blocks, now.title, proposed.blocks, proposed.title],
  )
}

function useChangeActions(props: ReviewTextsProps, author: string): ChangeActions {
  const { original, proposal, base, originalId, proposalId, isOnline } = props
  const decisions = useDecisions(originalId, proposalId)
  /** Returns the keys of those that were noted, also where a later request of several failed. */
  const decide = async (request: DecisionsRequest): Promise<ReadonlySet<string>> => {
    const noted = new Set<string>()
    try {
      if (!isOnline) throw new Error(proposalsStrings.review.offline)
      for (let at = 0; at < request.keys.length; at += MAX_DECISIONS_AT_ONCE) {
        const keys = request.keys.slice(at, at + MAX_DECISIONS_AT_ONCE)
        for (const key of await decisions.mutateAsync({ ...request, keys })) noted.add(key)
      }
      if (noted.size < request.keys.length)
        toast(proposalsStrings.review.decidedBefore(request.keys.length - noted.size))
    } catch (error) {
      toast.error(
        isOnline ? proposalsStrings.review.notDone((error as Error).message) : (error as Error).message,
      )
    }
    return noted
  }
  const accept = async (accepted: readonly ProposedChange[], mode: AcceptMode): Promise<void> => {
    // The decisions come first: of two reviewers who accept a change at once one is left out, and it comes once.
    const keys = await decide({ keys: keysOf(accepted), decision: 'accepted' })
    const noted = accepted.filter(({ key }) => keys.has(key))
    if (noted.length === 0) return
    // Before the text that shows them.
    await takeOverFiles({ from: proposalId, to: originalId, files: filesOf(noted) })
    const { result: written, takeBack } = runUndoable(
      undoOf(original, panelsStrings.entries.proposals.name),
      proposalsStrings.change.step(author),
      () => acceptChanges({ base, original: original.doc, proposal: proposal.doc }, noted, mode),
    )
    if (written.size > 0)
      toast(proposalsStrings.change.accepted, {
        action: {
          label: panelFramesStrings.undo,
          onClick: () => {
            if (takeBack()) void decide({ keys: keysOf(noted), decision: null })
          },
        },
      })
    const missed = noted.filter(({ key }) => !written.has(key))
    if (missed.length === 0) return
    toast(proposalsStrings.review.notThere)
    await decide({ keys: keysOf(missed), decision: null })
  }
  return {
    isBusy: decisions.isPending,
    accept: (accepted, mode) => void accept(accepted, mode),
    decide: (key, decision, of) => void decide({ keys: [key], decision, ...(of && { of }) }),
  }
}

const keysOf = (changes: readonly ProposedChange[]): string[] => changes.map(({ key }) => key)

interface ProposalButtonsProps extends ReviewTextsProps {
  readonly changes: readonly ProposedChange[]
  readonly statusOf: (change: ProposedChange) => ChangeStatus
  readonly actions: ChangeActions
  /** Whether the proposal changes something that no review shows. */
  readonly hasUnshown: boolean
  /** Called when the proposal turned out to have more than what was on screen. */
  readonly onUnseen: () => void
}

function ProposalButtons(props: ProposalButtonsProps) {
  const {
    originalId,
    proposalId,
    details,
    changes,
    statusOf,
    actions,
    canDecide,
    isBesideOriginal,
    isOnline,
    hasUnshown,
  } = props
  const action = useProposalAction(originalId, proposalId)
  const run = (chosen: ProposalAction | AcceptanceRequest, done: string) => {
    if (!isOnline) return toast.error(proposalsStrings.review.offline)
    action.mutate(chosen, {
      onSuccess: () => toast(done),
      onError: (error) => {
        if (typeof chosen !== 'string') props.onUnseen()
        toast.error(proposalsStrings.review.notDone(error.message))
      },
    })
  }
  const open = changes.filter((change) => statusOf(change) === 'open')
  const simple = open.filter(({ state }) => state === 'base')
  const isFinished = changes.every((change) => isDecided(statusOf(change)))
  const isUntouched = Object.keys(details.decisions).length === 0
  // A merge would mix both wordings of a conflict, letter by letter, and bring again what the original has already.
  const mayMerge = isUntouched && simple.length === changes.length && changes.length > 0 && !hasUnshown
  const hasAccepted = changes.some((change) => statusOf(change) === 'accepted')
  const originalUndo = undoOf(props.original, panelsStrings.entries.proposals.name)
  const isBusy = action.isPending || actions.isBusy
  /** As it was on screen at the click. */
  const accept = async (byParts: boolean, done: string) => {
    const { base, original, proposal } = props
    if (isOnline) await proposal.whenSaved()
    const texts = { base, original: original.doc, proposal: proposal.doc }
    const isSeen = areCurrent(texts, changes)
    if (!isSeen || (!byParts && hasUnshownChanges(base, proposal.doc))) {
      props.onUnseen()
      toast(isSeen ? proposalsStrings.review.unshown : proposalsStrings.review.unseen)
    } else if (byParts || mergesAsShown(texts, changes)) run({ byParts, seen: amountIn(proposal.doc) }, done)
    else acceptRest()
  }
  const acceptRest = () => {
    actions.accept(simple, 'replace')
    const left = open.length - simple.length
    if (left > 0) toast(proposalsStrings.review.restSentence(left))
  }
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {canDecide && mayMerge && (
        <Button
          look="primary"
          shape="small"
          disabled={isBusy}
          onClick={() => void accept(false, proposalsStrings.review.acceptedAll)}
        >
          {proposalsStrings.review.acceptAll}
        </Button>
      )}
      {canDecide && !mayMerge && simple.length > 0 && (
        <Button look="primary" shape="small" disabled={isBusy} onClick={acceptRest}>
          {proposalsStrings.review.acceptRest}
        </Button>
      )}
      {canDecide && isFinished && (hasAccepted || !isUntouched) && (
        <Button
          look="primary"
          shape="small"
          disabled={isBusy}
          onClick={() =>
            hasAccepted
              ? void accept(true, proposalsStrings.review.acceptedParts)
              : run('reject', proposalsStrings.review.rejectedAll)
          }
        >
          {proposalsStrings.review.finish}
        </Button>
      )}
      {canDecide && (
        <Button
          shape="small"
          disabled={isBusy}
          onClick={() =>
            run(
              'reject',
              hasAccepted ? proposalsStrings.review.rejectedRest : proposalsStrings.review.rejectedAll,
            )
          }
        >
          {hasAccepted ? proposalsStrings.review.rejectRest : proposalsStrings.review.rejectAll}
        </Button>
      )}
      {details.mayDecide && details.state === 'rejected' && (
        <Button
          shape="small"
          disabled={isBusy}
          onClick={() => run('reopen', proposalsStrings.review.reopened)}
        >
          {proposalsStrings.review.reopen}
        </Button>
      )}
      {canDecide && !isBesideOriginal && originalUndo.nextItem('undo') !== undefined && (
        <Button look="quiet" shape="small" onClick={() => originalUndo.undo()}>
          {proposalsStrings.review.undo}
        </Button>
      )}
      {!details.mayDecide && details.state === 'open' && (
        <p className="text-sm text-muted">{proposalsStrings.review.readOnly}</p>
      )}
      {isBesideOriginal ? (
        <a href={`/d/${proposalId}`} className={buttonClass({ look: 'quiet', shape: 'small' })}>
          {proposalsStrings.review.openProposal}
        </a>
      ) : (
        <Button
          look="quiet"
          shape="small"
          onClick={() => void openNewWindow({ document: originalId, kind: 'text' })}
        >
          {proposalsStrings.review.ownWindow}
        </Button>
      )}
    </div>
  )
}
