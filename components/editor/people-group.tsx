'use client'

import { useEffect, useState, type ReactNode } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { PersonMenuProps } from '@/components/following/person-menu'
import { Hint } from '@/components/ui/hint'
import { usePopup } from '@/components/ui/use-popup'
import { initialsOf, peopleOf, type Person } from './people'
import { strings } from '@/lib/strings/following.ts'

const same = (a: readonly Person[], b: readonly Person[]) => JSON.stringify(a) === JSON.stringify(b)

export function usePeople({ awareness }: OpenDocument): readonly Person[] {
  const [people, setPeople] = useState<readonly Person[]>([])
  useEffect(() => {
    const read = () => {
      const now = peopleOf(awareness.getStates(), awareness.clientID)
      setPeople((before) => (same(before, now) ? before : now))
    }
    read()
    awareness.on('change', read)
    return () => awareness.off('change', read)
  }, [awareness])
  return people
}

/** Room for so many faces; the rest is a number. */
const ROOM = 4
const ROOM_ON_A_PHONE = 2

export function PeopleGroup({ people }: { people: readonly Person[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for forms
    <div role="group" aria-label={strings.people.label} className="shrink-0">
      <Faces people={people} room={ROOM} className="max-sm:hidden" />
      <Faces people={people} room={ROOM_ON_A_PHONE} className="sm:hidden" />
    </div>
  )
}

function Faces({ people, room, className }: { people: readonly Person[]; room: number; className: string }) {
  const shown = people.length > room ? people.slice(0, room - 1) : people
  const rest = people.slice(shown.length)
  return (
    <div className={`flex items-center gap-1 ${className}`}>
      {shown.map((person) => (
        <Face key={person.id} person={person} />
      ))}
      {rest.length > 0 && (
        <Disc label={strings.people.more(rest.map(describe))} look="bg-sunk text-ink">
          +{rest.length}
        </Disc>
      )}
    </div>
  )
}

function describe({ name, self, windows, idle }: Person): string {
  const named = self ? strings.people.you(name) : name
  const who = idle ? strings.people.idle(named) : named
  return windows.length > 1 ? strings.people.inWindows(who, windows.length) : who
}

function Face({ person }: { person: Person }) {
  const letters = initialsOf(person.name)
  return person.self ? (
    <OwnFace person={person} letters={letters} />
  ) : (
    <OtherFace person={person} letters={letters} />
  )
}

const loadProfile = () => import('@/components/profile/profile-dialog')

/** The picture of this window's own person. It opens their profile. */
function OwnFace({ person, letters }: FaceProps) {
  const { trigger, Popup, popup } = usePopup('dialog', loadProfile)
  return (
    <>
      <Hint text={strings.people.ownProfile(describe(person))}>
        <button
          {...trigger}
          aria-label={describe(person)}
          className={`${disc} text-white`}
          style={{ background: person.colour }}
        >
          {letters}
        </button>
      </Hint>
      {Popup && <Popup {...popup} />}
    </>
  )
}

const loadMenu = () => import('@/components/following/person-menu')

interface FaceProps {
  readonly person: Person
  readonly letters: string
}

/** Of somebody else: one can go where they are. */
function OtherFace({ person, letters }: FaceProps) {
  const { trigger, Popup, popup } = usePopup<PersonMenuProps>('menu', loadMenu)
  const { id, idle, hasCaret, colour } = person
  return (
    <>
      <Hint text={describe(person)}>
        <button
          {...trigger}
          aria-label={describe(person)}
          className={`${disc} text-white ${idle ? 'grayscale' : ''}`}
          style={{ background: colour }}
        >
          {letters}
        </button>
      </Hint>
      {Popup && <Popup person={id} hasCaret={hasCaret} {...popup} />}
    </>
  )
}

const disc = 'grid size-7 place-items-center rounded-full text-[0.6875rem] font-semibold tracking-wide'

interface DiscProps {
  readonly label: string
  readonly look: string
  readonly background?: string
  readonly children: ReactNode
}

function Disc({ label, look, background, children }: DiscProps) {
  return (
    <Hint text={label}>
      <span
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- letters on a disc, no file to load
        role="img"
        aria-label={label}
        className={`${disc} ${look}`}
        style={{ background }}
      >
        {children}
      </span>
    </Hint>
  )
}
