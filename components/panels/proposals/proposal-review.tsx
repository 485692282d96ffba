import { ArrowLeft } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import type * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'
import { secondaryDocuments } from '@/components/editor/save-state/secondary-documents.ts'
import { useDocument, useStableStatus } from '@/components/opening/use-document.ts'
import { ApiRequestError, type ProposalDetails } from '@/components/http-api.ts'
import { canWrite } from '@/components/opening/can-write.ts'
import { useLastRole } from '@/components/opening/use-last-role.ts'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { useBaseText, useProposal } from '@/components/proposals/proposal-queries.ts'
import { useRightsChange } from '@/components/proposals/use-rights-change.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { ReviewTexts } from './review-texts.tsx'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

interface ProposalReviewProps {
  readonly panel: PanelProps
  readonly original: string
  readonly proposal: string
  /** Missing beside the text of the proposal itself. */
  readonly onClose?: () => void
}

/** Opens the other one of the two texts, and reads the text with which the proposal began. */
export function ProposalReview(props: ProposalReviewProps) {
  const { panel, original, proposal, onClose } = props
  const otherId = panel.document === original ? proposal : original
  const { opened } = useDocument(otherId)
  const { data: details, error } = useProposal(original, proposal)
  const base = useBaseText(proposal, details?.base ?? null)
  const failure = error ?? base.error
  return (
    <div className="@container flex min-h-0 flex-1 flex-col gap-3 p-3">
      {onClose && (
        <button
          type="button"
          onClick={onClose}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the row of the list that was just pressed is gone
          autoFocus
          className={`${buttonClass({ look: 'quiet', shape: 'small' })} -ml-1 self-start`}
        >
          <ArrowLeft size={16} aria-hidden /> {proposalsStrings.review.back}
        </button>
      )}
      {failure && !(details && base.data) ? (
        <Note isAlert>
          {failure instanceof ApiRequestError && failure.status === 404
            ? proposalsStrings.review.missing
            : proposalsStrings.review.failed(failure.message)}
        </Note>
      ) : opened && details && base.data ? (
        <OpenedReview {...props} key={otherId} other={opened} details={details} base={base.data} />
      ) : (
        <Note>{proposalsStrings.review.loading}</Note>
      )}
    </div>
  )
}

const Note = ({ isAlert = false, children }: { isAlert?: boolean; children: ReactNode }) => (
  <p role={isAlert ? 'alert' : 'status'} className="text-sm text-pretty text-muted">
    {children}
  </p>
)

interface OpenedReviewProps extends ProposalReviewProps {
  readonly other: OpenDocument
  readonly details: ProposalDetails
  readonly base: Y.Doc
}

function OpenedReview({ panel, original, proposal, other, details, base }: OpenedReviewProps) {
  const status = useStableStatus(other)
  const role = useLastRole(status)
  useEffect(() => secondaryDocuments.addDocument(other), [other])
  const isBesideOriginal = panel.document === original
  useRightsChange(original, other)
  if (status.document.state === 'refused')
    return (
      <Note isAlert>
        {isBesideOriginal ? proposalsStrings.review.missing : proposalsStrings.review.originalMissing}
      </Note>
    )
  if (!role) return <Note>{proposalsStrings.review.loading}</Note>
  const there = { opened: other, status, role }
  const [originalSide, proposalSide] = isBesideOriginal ? [panel, there] : [there, panel]
  return (
    <ReviewTexts
      original={originalSide.opened}
      proposal={proposalSide.opened}
      base={base}
      details={details}
      originalId={original}
      proposalId={proposal}
      isBesideOriginal={isBesideOriginal}
      canDecide={details.mayDecide && details.state === 'open' && canWrite(originalSide)}
      isOnline={panel.status.link.state === 'up' && status.link.state === 'up'}
      ownId={panel.user.id}
      commenter={canWrite(proposalSide) ? panel.user : null}
    />
  )
}
