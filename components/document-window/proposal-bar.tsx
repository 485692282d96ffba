'use client'

import { Columns2, GitPullRequestArrow } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { pageCommands } from '@/components/commands/command-registry.ts'
import { setNamePrefix } from '@/components/windows/window-title.ts'
import { useRequiredDock } from '@/components/dock/dock.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import type { BranchEntry } from '@/components/http-api.ts'
import { useShownPeople } from '@/components/following/use-shown-people.ts'
import { storeChosenDocument } from '@/components/panels/editor/chosen-document.ts'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { toast } from '@/components/ui/toast.ts'
import {
  useDocumentEntry,
  useProposal,
  useProposalAction,
  type ProposalAction,
} from '@/components/proposals/proposal-queries.ts'
import { takeBegun } from '@/components/proposals/propose.ts'
import { readBranch } from '@/components/proposals/remembered-branches.ts'
import { usePropose } from '@/components/proposals/use-propose.ts'
import { useRightsChange } from '@/components/proposals/use-rights-change.ts'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

/** Says of a proposal's text what it is for; to whoever may only read a document, that they may propose changes. */
export default function ProposalBar() {
  const { document } = useRequiredDock()
  useRightsChange(document.id, document.opened)
  const { data: entry } = useDocumentEntry(document.id)
  if (document.status.document.state === 'refused') return null
  const branch = entry ? entry.proposal : readBranch(document.id)
  if (branch) return <BranchBar branch={branch} />
  return entry?.mayPropose && document.role === 'viewer' ? <ReaderOffer /> : null
}

const barClass =
  'flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line/70 bg-accent-soft/50 px-3 py-1.5 text-sm'

function BranchBar({ branch }: { branch: BranchEntry }) {
  const { document, showPanel } = useRequiredDock()
  const { original, originalTitle } = branch
  const { data: proposal } = useProposal(original, document.id)
  const personOf = useShownPeople()
  const action = useProposalAction(original, document.id)
  const run = (chosen: ProposalAction) =>
    action.mutate(chosen, {
      onError: (error) => toast.error(proposalsStrings.review.notDone(error.message)),
    })
  const showBeside = () => {
    storeChosenDocument(document.id, original)
    showPanel('editor')
  }
  useDecisionNotice(branch)
  useEffect(() => setNamePrefix(proposalsStrings.bar.tab), [])
  useEffect(() => {
    if (takeBegun(document.id) && window.document.activeElement === window.document.body)
      pageCommands.run('text')
  }, [document.id])
  return (
    <section aria-label={proposalsStrings.bar.label} className={barClass}>
      <p className="flex min-w-0 flex-1 basis-full items-center gap-x-2 sm:basis-60">
        <GitPullRequestArrow size={16} aria-hidden className="shrink-0 text-accent" />
        <span className="min-w-0 truncate font-medium">
          {proposal?.title && `${proposal.title} · `}
          {proposalsStrings.bar.title(shownTitle(originalTitle))}
        </span>
        {proposal && (
          <span className="shrink-0 text-muted">
            <span className="max-sm:hidden">
              {proposalsStrings.bar.by(personOf(proposal.author).name)} ·{' '}
            </span>
            {proposalsStrings.states[branch.state]}
          </span>
        )}
      </p>
      <div className="flex flex-wrap gap-1">
        <Button shape="small" onClick={() => showPanel('proposals')}>
          {proposalsStrings.bar.review}
        </Button>
        <Button shape="small" look="quiet" onClick={showBeside} className="max-sm:hidden">
          <Columns2 size={16} aria-hidden /> {proposalsStrings.bar.beside}
        </Button>
        <a href={`/d/${original}`} className={buttonClass({ look: 'quiet', shape: 'small' })}>
          {proposalsStrings.bar.original}
        </a>
        {branch.isAuthor && branch.state === 'open' && (
          <Button shape="small" look="quiet" disabled={action.isPending} onClick={() => run('withdraw')}>
            {proposalsStrings.bar.withdraw}
          </Button>
        )}
        {branch.isAuthor && branch.state === 'withdrawn' && (
          <Button shape="small" look="quiet" disabled={action.isPending} onClick={() => run('reopen')}>
            {proposalsStrings.bar.reopen}
          </Button>
        )}
      </div>
    </section>
  )
}

/** Tells whoever has the proposal open that it was decided. */
function useDecisionNotice({ state, original }: BranchEntry): void {
  const former = useRef(state)
  useEffect(() => {
    const wasOpen = former.current === 'open'
    former.current = state
    if (wasOpen && (state === 'accepted' || state === 'rejected'))
      toast(proposalsStrings.bar.decided[state], { id: `decided-${original}` })
  }, [state, original])
}

function ReaderOffer() {
  const { document } = useRequiredDock()
  const { propose, isBusy } = usePropose(document.id, document.opened)
  return (
    <p className={barClass}>
      <span className="min-w-0 flex-1 basis-40">{proposalsStrings.propose.offerReader}</span>
      <Button shape="small" disabled={isBusy} onClick={() => propose()}>
        {proposalsStrings.propose.button}
      </Button>
    </p>
  )
}
