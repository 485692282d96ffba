'use client'

import { DeletionDialog } from '@/components/ui/deletion-dialog.tsx'
import { documentsStrings } from '@/lib/strings/documents.ts'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

interface DeleteLostProposalProps {
  readonly onConfirm: () => Promise<void>
  /** Called when the dialog has closed. */
  readonly onClose: () => void
}

export default function DeleteLostProposal(props: DeleteLostProposalProps) {
  const { hint, keep, confirm } = documentsStrings.deleteDialog
  return <DeletionDialog {...{ hint, keep, confirm, ...props }} title={proposalsStrings.lost.deletionTitle} />
}
