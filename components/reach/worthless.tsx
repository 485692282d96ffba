import { ApiError, type Me } from '@/components/api'
import { Button } from '@/components/ui/button'
import { Named } from './named-face'

/** Used, expired, or never one: the server tells no more, and a person need not know more. */
export const isWorthless = (error: unknown): boolean =>
  error instanceof ApiError && [400, 404].includes(error.status)

export function Worthless({ me, onStay }: { me: Me | undefined; onStay: () => void }) {
  const stay = (
    <Button look="primary" onClick={onStay}>
      {me ? `Go on as ${me.name}` : 'Go on'}
    </Button>
  )
  return (
    <Named title="This code is not good any more" actions={stay}>
      A code signs in one device, within a minute. Make a new one on your other device: Windows, then Send to.
      Nothing has changed here.
    </Named>
  )
}
