'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, type NamedPerson } from '@/components/http-api.ts'
import { queryClient } from '@/components/query-client.ts'
import { rememberProfile } from '@/components/profile/remembered-profile.ts'
import { useDocuments } from '@/components/documents/document-queries.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { Button } from '@/components/ui/button.tsx'
import { ownTouchedDocuments, countUnsentChanges } from './own-work.ts'
import { TitledMessagePage } from './titled-message-page.tsx'
import { isInvalidTicket, InvalidTicket } from './invalid-ticket.tsx'
import { devicesStrings } from '@/lib/strings/devices.ts'

/** In ms. Meanwhile other windows and the courier send what is unsent. */
const UNSENT_POLL_INTERVAL_MS = 1000

interface ContinueAsProps {
  readonly person: NamedPerson
  readonly me: NamedPerson
  readonly ticket: string
  readonly onStay: () => void
}

/**
 * Asks before this device signs in as another person: somebody who opened a stranger's code must see that they would write as that
 * stranger.
 */
export function ContinueAs({ person, me, ticket, onStay }: ContinueAsProps) {
  const redemption = useMutation(
    {
      mutationFn: () => api.redeemDeviceTicket(ticket),
      onSuccess: reloadAsPerson,
    },
    queryClient,
  )
  const unsentQuery = useQuery(
    {
      queryKey: ['unsent'],
      queryFn: countUnsentChanges,
      refetchInterval: UNSENT_POLL_INTERVAL_MS,
      gcTime: 0,
    },
    queryClient,
  )
  const unsentCount = unsentQuery.data ?? 0
  if (isInvalidTicket(redemption.error)) return <InvalidTicket me={me} onStay={onStay} />
  const busy = redemption.isPending || redemption.isSuccess
  const actions = (
    <>
      <Button
        look={unsentCount > 0 ? 'danger' : 'primary'}
        onClick={() => redemption.mutate()}
        disabled={busy}
        aria-busy={busy}
      >
        {unsentCount > 0
          ? devicesStrings.continueAs.confirmWithoutChanges
          : devicesStrings.continueAs.confirm(person.name)}
      </Button>
      <Button onClick={onStay} disabled={busy}>
        {devicesStrings.continueAs.stay(me.name)}
      </Button>
    </>
  )
  return (
    <TitledMessagePage title={devicesStrings.continueAs.title(person.name)} actions={actions}>
      <div className="flex flex-col gap-3">
        <p>{devicesStrings.continueAs.hint(person.name)}</p>
        <OwnDocumentsNote me={me} />
        {unsentCount > 0 && <NoteBox>{devicesStrings.continueAs.unsent(unsentCount, me.name)}</NoteBox>}
        <p role="alert" className="text-danger empty:absolute">
          {redemption.error?.message}
        </p>
      </div>
    </TitledMessagePage>
  )
}

/** Reloads the page, so that no session, name or text of the previous person stays in it. */
function reloadAsPerson(person: NamedPerson): void {
  rememberProfile(person)
  location.reload()
}

function OwnDocumentsNote({ me }: { me: NamedPerson }) {
  const { data } = useDocuments()
  const touchedDocuments = data ? ownTouchedDocuments(data) : []
  if (touchedDocuments.length === 0) return null
  return (
    <NoteBox>
      {devicesStrings.continueAs.leftBehind(
        me.name,
        touchedDocuments.map(({ title }) => shownTitle(title)),
      )}
    </NoteBox>
  )
}

const NoteBox = ({ children }: { children: ReactNode }) => (
  <p className="rounded-lg border border-line bg-sunk px-3 py-2 text-sm text-ink">{children}</p>
)
