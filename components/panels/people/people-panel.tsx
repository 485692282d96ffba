'use client'

import { usePeople } from '@/components/following/people-group.tsx'
import type { PanelProps } from '../panel-props.ts'
import { PersonRow } from './person-row.tsx'
import { peopleStrings } from '@/lib/strings/people.ts'

/** Lists who is here, in which windows and on which devices. */
export default function PeoplePanel({ opened, user }: PanelProps) {
  const people = usePeople(opened)
  return (
    <>
      <ul aria-label={peopleStrings.label} className="mx-auto w-full max-w-3xl divide-y divide-line">
        {people.map((person) => (
          <PersonRow key={person.id} person={person} ownId={user.id} />
        ))}
      </ul>
      {people.length === 1 && (
        <p className="mx-auto w-full max-w-3xl px-4 py-3 text-sm text-muted">{peopleStrings.alone}</p>
      )}
    </>
  )
}
