'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, type DocumentEntry, type Me } from '@/components/api'
import { rememberMe } from '@/components/documents/me'
import { useDocuments } from '@/components/documents/queries'
import { titleOf } from '@/components/documents/title'
import { Button } from '@/components/ui/button'
import { ownWork, unsentChanges } from './left-behind'
import { Named } from './named-face'
import { isWorthless, Worthless } from './worthless'

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
        {left > 0 ? `Continue without them` : `Continue as ${person.name}`}
      </Button>
      <Button onClick={onStay} disabled={busy}>
        Stay as {me.name}
      </Button>
    </>
  )
  return (
    <Named title={`Go on as ${person.name} on this device?`} actions={actions}>
      <div className="flex flex-col gap-3">
        <p>
          Continue only if you made this code yourself, on another device of yours. What you write here from
          then on is written as {person.name}, and everything of theirs can be seen here.
        </p>
        <LeftBehind me={me} />
        {left > 0 && <Unsent me={me} count={left} />}
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

function Unsent({ me, count }: { me: Me; count: number }) {
  const what = count === 1 ? 'One change' : `${count} changes`
  return (
    <Note>
      {what} made here as {me.name} {count === 1 ? 'is' : 'are'} not on the server yet. Wait until{' '}
      {count === 1 ? 'it is' : 'they are'} sent: afterwards nobody could send {count === 1 ? 'it' : 'them'}{' '}
      from this device.
    </Note>
  )
}

function LeftBehind({ me }: { me: Me }) {
  const { data } = useDocuments()
  const own = data ? ownWork(data) : []
  if (own.length === 0) return null
  return (
    <Note>
      This device then forgets that it was {me.name}, who owns {listed(own)}. Stay and share{' '}
      {own.length === 1 ? 'it' : 'them'} by a link first, if you need {own.length === 1 ? 'it' : 'them'}.
    </Note>
  )
}

function listed(documents: readonly DocumentEntry[]): string {
  const [first, second, ...rest] = documents.map(({ title }) => `“${titleOf(title)}”`)
  if (second === undefined) return first ?? ''
  if (rest.length === 0) return `${first} and ${second}`
  return `${first}, ${second} and ${rest.length} more`
}

const Note = ({ children }: { children: ReactNode }) => (
  <p className="rounded-lg border border-line bg-sunk px-3 py-2 text-sm text-ink">{children}</p>
)
