'use client'

import { useState } from 'react'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { useDocumentEntry } from '@/components/proposals/proposal-queries.ts'
import { useRightsChange } from '@/components/proposals/use-rights-change.ts'
import { usePanelCommand } from '../use-panel-command.ts'
import { ProposalList } from './proposal-list.tsx'
import { ProposalReview } from './proposal-review.tsx'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

/** Of a document: its proposals, and the review of one. Beside the text of a proposal: its review. */
export default function ProposalsPanel(panel: PanelProps) {
  const { document, opened } = panel
  useRightsChange(document, opened)
  const { data: entry, error } = useDocumentEntry(document)
  const [chosen, setChosen] = useState<string | null>(null)
  usePanelCommand('proposals', ({ proposal }) => setChosen(proposal))
  if (!entry)
    return (
      <p role={error ? 'alert' : 'status'} className="p-4 text-sm text-muted">
        {error ? proposalsStrings.list.failed(error.message) : panelFramesStrings.loading}
      </p>
    )
  if (entry.proposal)
    return <ProposalReview panel={panel} original={entry.proposal.original} proposal={document} />
  if (chosen === null) return <ProposalList panel={panel} entry={entry} onChoose={setChosen} />
  return (
    <ProposalReview
      key={chosen}
      panel={panel}
      original={document}
      proposal={chosen}
      onClose={() => setChosen(null)}
    />
  )
}
