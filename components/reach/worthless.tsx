import { ApiError, type Me } from '@/components/api'
import { Button } from '@/components/ui/button'
import { Named } from './named-face'
import { strings } from '@/lib/strings/devices.ts'

/** Used, expired, or never one: the server tells no more, and a person need not know more. */
export const isWorthless = (error: unknown): boolean =>
  error instanceof ApiError && [400, 404].includes(error.status)

export function Worthless({ me, onStay }: { me: Me | undefined; onStay: () => void }) {
  const stay = (
    <Button look="primary" onClick={onStay}>
      {me ? strings.invalidTicket.stayAs(me.name) : strings.invalidTicket.stay}
    </Button>
  )
  return (
    <Named title={strings.invalidTicket.title} actions={stay}>
      {strings.invalidTicket.hint}
    </Named>
  )
}
