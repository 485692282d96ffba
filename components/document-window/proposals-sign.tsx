'use client'

import { GitPullRequestArrow } from 'lucide-react'
import { useDeferredValue, useEffect, useRef } from 'react'
import { useRequiredDock } from '@/components/dock/dock.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { Hint } from '@/components/ui/hint.tsx'
import { toast } from '@/components/ui/toast.ts'
import { dispatchPanelCommand } from '@/components/commands/dispatch-panel-command.ts'
import type { ProposalEntry } from '@/components/http-api.ts'
import { useDocumentEntry, useProposals } from '@/components/proposals/proposal-queries.ts'
import { useRightsChange } from '@/components/proposals/use-rights-change.ts'
import { useShownPeople } from '@/components/following/use-shown-people.ts'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

interface ProposalsSignProps {
  /** Whether there was none when this window looked first: then the first one has just come. */
  readonly sawNone: boolean
}

/** Says that there are open proposals, and leads there. */
export default function ProposalsSign({ sawNone }: ProposalsSignProps) {
  const { document, showPanel } = useRequiredDock()
  const { id, opened, user } = document
  useRightsChange(id, opened)
  const { data: entry } = useDocumentEntry(id)
  const count = entry?.openProposals ?? 0
  const announced = useDeferredValue(count, 0)
  return (
    <>
      <output className="sr-only">{announced > 0 && proposalsStrings.sign.label(announced)}</output>
      {count > 0 && (
        <>
          <ArrivalNotice original={id} own={user.id} sawNone={sawNone} />
          <Hint text={proposalsStrings.sign.hint}>
            <button
              type="button"
              aria-label={proposalsStrings.sign.label(count)}
              onClick={() => showPanel('proposals')}
              className={`${buttonClass({ look: 'quiet', shape: 'small' })} shrink-0 px-1.5 text-accent`}
            >
              <GitPullRequestArrow size={18} aria-hidden />
              <span className="tabular-nums max-sm:hidden">{count > 99 ? '99+' : count}</span>
            </button>
          </Hint>
        </>
      )}
    </>
  )
}

/** Tells whoever may decide of a proposal that comes while they are here. */
interface ArrivalNoticeProps {
  readonly original: string
  /** The id of this window's person, who knows of their own proposals. */
  readonly own: string
  readonly sawNone: boolean
}

function ArrivalNotice({ original, own, sawNone }: ArrivalNoticeProps) {
  const { data } = useProposals(original, 'open')
  const personOf = useShownPeople()
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (!data) return
    const proposals = data.pages.flatMap((page) => page.proposals)
    const former = known.current ?? (sawNone ? new Set<string>() : null)
    known.current = new Set(proposals.map(({ id }) => id))
    for (const proposal of proposals)
      if (former && !former.has(proposal.id) && proposal.mayDecide && proposal.author.id !== own)
        tellOf(proposal, personOf(proposal.author).name)
  }, [data, personOf, own, sawNone])
  return null
}

const tellOf = ({ id }: ProposalEntry, name: string): void =>
  toast(proposalsStrings.sign.arrived(name), {
    id: `proposal-${id}`,
    action: {
      label: proposalsStrings.sign.show,
      onClick: () => dispatchPanelCommand({ panel: 'proposals', proposal: id }),
    },
  })
