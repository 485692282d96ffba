'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, type Me } from '@/components/api'
import { rememberMe } from '@/components/documents/me'
import { useDocuments } from '@/components/documents/queries'
import { titleOf } from '@/components/documents/title'
import { Button } from '@/components/ui/button'
import { ownWork, unsentChanges } from './left-behind'
import { Named } from './named-face'
import { isWorthless, Worthless } from './worthless'
import { strings } from '@/lib/strings/devices.ts'

/** ms; windows and the courier send meanwhile what is unsent. */
const LOOK_MS = 1000

interface GoOnAsProps {
  readonly person: Me
  readonly me: Me
  readonly ticket: string
  readonly onStay: () => void
}

/** Whoever is led here by a stranger's code must see that they would write as that stranger. */
export function GoOnAs({ person, me, ticket, onStay }: GoOnAsProps) {
  const redeem = useMutation({ mutationFn: () => api.redeemTicket(ticket), onSuccess: becomeThem })
  const unsent = useQuery({
    queryKey: ['unsent'],
    queryFn: unsentChanges,
    refetchInterval: LOOK_MS,
    gcTime: 0,
  })
  const left = unsent.data ?? 0
  if (isWorthless(redeem.error)) return <Worthless me={me} onStay={onStay} />
  const busy = redeem.isPending || redeem.isSuccess
  const actions = (
    <>
      <Button
        look={left > 0 ? 'danger' : 'primary'}
        onClick={() => redeem.mutate()}
        disabled={busy}
        aria-busy={busy}
      >
        {left > 0 ? strings.continueAs.confirmWithoutChanges : strings.continueAs.confirm(person.name)}
      </Button>
      <Button onClick={onStay} disabled={busy}>
        {strings.continueAs.stay(me.name)}
      </Button>
    </>
  )
  return (
    <Named title={strings.continueAs.title(person.name)} actions={actions}>
      <div className="flex flex-col gap-3">
        <p>{strings.continueAs.hint(person.name)}</p>
        <LeftBehind me={me} />
        {left > 0 && <Note>{strings.continueAs.unsent(left, me.name)}</Note>}
        <p role="alert" className="text-danger empty:absolute">
          {redeem.error?.message}
        </p>
      </div>
    </Named>
  )
}

/** Loaded anew: no session, no name and no text of who this was may live on in the page. */
function becomeThem(person: Me): void {
  rememberMe(person)
  location.reload()
}

function LeftBehind({ me }: { me: Me }) {
  const { data } = useDocuments()
  const own = data ? ownWork(data) : []
  if (own.length === 0) return null
  return (
    <Note>
      {strings.continueAs.leftBehind(
        me.name,
        own.map(({ title }) => titleOf(title)),
      )}
    </Note>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <p className="rounded-lg border border-line bg-sunk px-3 py-2 text-sm text-ink">{children}</p>
)
