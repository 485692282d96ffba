'use client'

import { type MouseEvent, useRef, useState } from 'react'
import { api, type PersonWithAccess } from '@/components/http-api.ts'
import { Button } from '@/components/ui/button.tsx'
import { focusAdjacentRow } from '@/components/ui/focus-adjacent-row.ts'
import { RelativeTime } from '@/components/settings/relative-time.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import { RowConfirmation } from './row-confirmation.tsx'
import { usePeopleWithAccess, useShareChange } from './share-queries.ts'
import { shareDialogStrings } from '@/lib/strings/share-dialog.ts'

interface PeopleWithAccessProps {
  readonly document: string
  /** True if a link lets newcomers in. */
  readonly hasOpenLink: boolean
  /** The id of what gets the focus when the last person is removed. */
  readonly fallbackFocus: string
}

/** Lists who came by a link, and removes one of them. */
export function PeopleWithAccess({ document, hasOpenLink, fallbackFocus }: PeopleWithAccessProps) {
  const { data: people = [], error, ...pages } = usePeopleWithAccess(document)
  const removal = useShareChange(document, (person: PersonWithAccess) =>
    api.removePerson(document, person.id),
  )
  const remove = (person: PersonWithAccess, row: Element | null) =>
    removal.mutate(person, { onSuccess: () => focusAdjacentRow(row, fallbackFocus) })
  return (
    <>
      {people.length > 0 && (
        <section aria-labelledby="people-with-access" className="flex flex-col gap-1">
          <h3 id="people-with-access" className="text-sm font-semibold">
            {shareDialogStrings.people.title}
          </h3>
          <ul aria-labelledby="people-with-access" className="divide-y divide-line">
            {people.map((person) => (
              <PersonRow
                key={person.id}
                person={person}
                hasOpenLink={hasOpenLink}
                busy={removal.isPending}
                onRemove={(row) => remove(person, row)}
              />
            ))}
          </ul>
          {pages.hasNextPage && (
            <Button
              look="quiet"
              shape="small"
              onClick={() => void pages.fetchNextPage()}
              aria-busy={pages.isFetchingNextPage}
            >
              {shareDialogStrings.people.more}
            </Button>
          )}
        </section>
      )}
      <p role="alert" className="text-sm text-danger empty:absolute">
        {(removal.error ?? error)?.message}
      </p>
      <output className="text-sm text-muted empty:absolute">
        {removal.isSuccess && shareDialogStrings.people.removed(nameOf(removal.variables))}
      </output>
    </>
  )
}

interface PersonRowProps {
  readonly person: PersonWithAccess
  readonly hasOpenLink: boolean
  readonly busy: boolean
  readonly onRemove: (row: Element | null) => void
}

function PersonRow({ person, hasOpenLink, busy, onRemove }: PersonRowProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  const removeButton = useRef<HTMLButtonElement>(null)
  const name = nameOf(person)
  const keep = () => {
    setIsConfirming(false)
    removeButton.current?.focus()
  }
  const remove = ({ currentTarget }: MouseEvent) => busy || onRemove(currentTarget.closest('li'))
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-sm">
      <p className="min-w-0 flex-1 basis-48 break-words text-muted">
        <Sentence
          parts={shareDialogStrings.people.joined[person.role](
            <span className="text-ink">{name}</span>,
            <RelativeTime at={person.joinedAt} />,
          )}
        />
      </p>
      <Button
        ref={removeButton}
        look="quiet"
        shape="small"
        onClick={() => setIsConfirming(!isConfirming)}
        aria-expanded={isConfirming}
        aria-label={shareDialogStrings.people.removeLabel(name)}
      >
        {shareDialogStrings.people.remove}
      </Button>
      {isConfirming && (
        <RowConfirmation
          text={shareDialogStrings.people[hasOpenLink ? 'openConsequence' : 'consequence'](name)}
          onKeep={keep}
        >
          <Button look="danger" shape="small" onClick={remove} aria-disabled={busy}>
            {shareDialogStrings.people.confirm(name)}
          </Button>
        </RowConfirmation>
      )}
    </li>
  )
}

const nameOf = ({ name }: PersonWithAccess): string => name || shareDialogStrings.people.nameless
