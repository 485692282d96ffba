import { ApiRequestError, type NamedPerson } from '@/components/http-api.ts'
import { Button } from '@/components/ui/button.tsx'
import { TitledMessagePage } from './titled-message-page.tsx'
import { devicesStrings } from '@/lib/strings/devices.ts'

/** The ticket is used, expired or was never valid. The server does not say which, and a person need not know. */
export const isInvalidTicket = (error: unknown): boolean =>
  error instanceof ApiRequestError && [400, 404].includes(error.status)

export function InvalidTicket({ me, onStay }: { me: NamedPerson | undefined; onStay: () => void }) {
  const stayButton = (
    <Button look="primary" onClick={onStay}>
      {me ? devicesStrings.invalidTicket.stayAs(me.name) : devicesStrings.invalidTicket.stay}
    </Button>
  )
  return (
    <TitledMessagePage title={devicesStrings.invalidTicket.title} actions={stayButton}>
      {devicesStrings.invalidTicket.hint}
    </TitledMessagePage>
  )
}
