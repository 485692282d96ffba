import { useState } from 'react'
import { api, type BranchEntry } from '@/components/http-api.ts'
import { Button } from '@/components/ui/button.tsx'
import { toast } from '@/components/ui/toast.ts'
import { useRequest } from '@/components/ui/use-request.ts'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

interface LostProposalProps {
  readonly id: string
  readonly branch: BranchEntry
}

/** What an author who has lost the original can still do: to withdraw the proposal, and then to delete it. */
export function LostProposal({ id, branch }: LostProposalProps) {
  const [state, setState] = useState<BranchEntry['state'] | 'deleted'>(branch.state)
  const { run, state: request } = useRequest(async () => {
    try {
      if (state === 'open') setState((await api.changeProposal(branch.original, id, 'withdraw')).state)
      else {
        await api.deleteProposal(branch.original, id)
        setState('deleted')
      }
    } catch (error) {
      toast.error(proposalsStrings.review.notDone((error as Error).message))
      throw error
    }
  })
  if (state === 'deleted') return <p>{proposalsStrings.lost.deleted}</p>
  return (
    <Button shape="small" disabled={request === 'pending'} onClick={() => void run(undefined)}>
      {state === 'open' ? proposalsStrings.lost.withdraw : proposalsStrings.lost.delete}
    </Button>
  )
}
