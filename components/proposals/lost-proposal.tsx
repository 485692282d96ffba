import { useState } from 'react'
import { api, ApiRequestError, type BranchEntry } from '@/components/http-api.ts'
import { Button } from '@/components/ui/button.tsx'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { toast } from '@/components/ui/toast.ts'
import { useRequest } from '@/components/ui/use-request.ts'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

const loadDialog = () => import('./delete-lost-proposal.tsx')

interface LostProposalProps {
  readonly id: string
  readonly branch: BranchEntry
}

/** An author who has lost the original can still withdraw the proposal here, and then delete it. */
export function LostProposal({ id, branch }: LostProposalProps) {
  const [state, setState] = useState<BranchEntry['state'] | 'deleted'>(branch.state)
  const [isAsking, setAsking] = useState(false)
  /** The state is what this browser remembers: a refusal says that the proposal is closed by now, or open again. */
  const change = async (send: () => Promise<typeof state>, onRefused: BranchEntry['state']) => {
    try {
      setState(await send())
    } catch (error) {
      toast.error(proposalsStrings.review.notDone((error as Error).message))
      if (error instanceof ApiRequestError && error.status === 409) setState(onRefused)
    }
  }
  const { run: withdraw, state: request } = useRequest(() =>
    change(async () => (await api.changeProposal(branch.original, id, 'withdraw')).state, 'withdrawn'),
  )
  const deleteForGood = () =>
    change(async () => {
      await api.deleteProposal(branch.original, id)
      return 'deleted'
    }, 'open')
  const stopAsking = () => setAsking(false)
  return (
    <>
      {state === 'deleted' ? (
        <p>{proposalsStrings.lost.deleted}</p>
      ) : (
        <Button
          shape="small"
          disabled={request === 'pending'}
          onClick={() => (state === 'open' ? void withdraw(undefined) : setAsking(true))}
        >
          {state === 'open' ? proposalsStrings.lost.withdraw : proposalsStrings.lost.delete}
        </Button>
      )}
      {isAsking && (
        <LazyComponent
          load={loadDialog}
          props={{ onConfirm: deleteForGood, onClose: stopAsking }}
          onLoadFailed={stopAsking}
        />
      )}
    </>
  )
}
