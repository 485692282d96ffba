'use client'

import { useEffect, useState, type ReactNode } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { PersonMenuProps } from './person-menu.tsx'
import { Hint } from '@/components/ui/hint.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import { initialsOf, peopleOf, type Person } from '@/components/profile/people.ts'
import { followingStrings } from '@/lib/strings/following.ts'

const isSamePeople = (a: readonly Person[], b: readonly Person[]) => JSON.stringify(a) === JSON.stringify(b)

export function usePeople({ awareness }: OpenDocument): readonly Person[] {
  const [people, setPeople] = useState<readonly Person[]>([])
  useEffect(() => {
    const read = () => {
      const now = peopleOf(awareness.getStates(), awareness.clientID)
      setPeople((before) => (isSamePeople(before, now) ? before : now))
    }
    read()
    awareness.on('change', read)
    return () => awareness.off('change', read)
  }, [awareness])
  return people
}

/** The number of avatars that fit; a number stands for the others. */
const MAX_AVATARS = 4
const MAX_AVATARS_ON_PHONE = 2

export function PeopleGroup({ people }: { people: readonly Person[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for forms
    <div role="group" aria-label={followingStrings.people.label} className="shrink-0">
      <Avatars people={people} maxAvatars={MAX_AVATARS} className="max-sm:hidden" />
      <Avatars people={people} maxAvatars={MAX_AVATARS_ON_PHONE} className="sm:hidden" />
    </div>
  )
}

function Avatars({
  people,
  maxAvatars,
  className,
}: {
  people: readonly Person[]
  maxAvatars: number
  className: string
}) {
  const shown = people.length > maxAvatars ? people.slice(0, maxAvatars - 1) : people
  const hiddenPeople = people.slice(shown.length)
  return (
    <div className={`flex items-center gap-1 ${className}`}>
      {shown.map((person) => (
        <Avatar key={person.id} person={person} />
      ))}
      {hiddenPeople.length > 0 && (
        <AvatarDisc
          label={followingStrings.people.more(hiddenPeople.map(personDescription))}
          className="bg-sunk text-ink"
        >
          +{hiddenPeople.length}
        </AvatarDisc>
      )}
    </div>
  )
}

function personDescription({ name, self, windows, idle }: Person): string {
  const nameText = self ? followingStrings.people.you(name) : name
  const nameAndState = idle ? followingStrings.people.idle(nameText) : nameText
  return windows.length > 1 ? followingStrings.people.inWindows(nameAndState, windows.length) : nameAndState
}

function Avatar({ person }: { person: Person }) {
  const initials = initialsOf(person.name)
  return person.self ? (
    <OwnAvatar person={person} initials={initials} />
  ) : (
    <OtherAvatar person={person} initials={initials} />
  )
}

const loadProfile = () => import('@/components/profile/profile-dialog.tsx')

/** The avatar of this window's own person. It opens their profile. */
function OwnAvatar({ person, initials }: AvatarProps) {
  const { trigger, Popup, popup } = usePopup('dialog', loadProfile)
  return (
    <>
      <Hint text={followingStrings.people.ownProfile(personDescription(person))}>
        <button
          {...trigger}
          aria-label={personDescription(person)}
          className={`${discClass} text-white`}
          style={{ background: person.colour }}
        >
          {initials}
        </button>
      </Hint>
      {Popup && <Popup {...popup} />}
    </>
  )
}

const loadMenu = () => import('./person-menu.tsx')

interface AvatarProps {
  readonly person: Person
  readonly initials: string
}

/** The avatar of somebody else. Its menu leads to where they are. */
function OtherAvatar({ person, initials }: AvatarProps) {
  const { trigger, Popup, popup } = usePopup<PersonMenuProps>('menu', loadMenu)
  const { id, idle, hasCaret, colour } = person
  return (
    <>
      <Hint text={personDescription(person)}>
        <button
          {...trigger}
          aria-label={personDescription(person)}
          className={`${discClass} text-white ${idle ? 'grayscale' : ''}`}
          style={{ background: colour }}
        >
          {initials}
        </button>
      </Hint>
      {Popup && <Popup person={id} hasCaret={hasCaret} {...popup} />}
    </>
  )
}

const discClass = 'grid size-7 place-items-center rounded-full text-[0.6875rem] font-semibold tracking-wide'

interface AvatarDiscProps {
  readonly label: string
  readonly className: string
  readonly background?: string
  readonly children: ReactNode
}

function AvatarDisc({ label, className, background, children }: AvatarDiscProps) {
  return (
    <Hint text={label}>
      <span
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- letters on a disc, no file to load
        role="img"
        aria-label={label}
        className={`${discClass} ${className}`}
        style={{ background }}
      >
        {children}
      </span>
    </Hint>
  )
}
