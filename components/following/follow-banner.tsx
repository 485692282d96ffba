'use client'

import { useContext, useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { defaultColourOf } from '@/components/profile/person-colours.ts'
import type { Person } from '@/components/profile/people.ts'
import { usePeople } from './people-group.tsx'
import { Button } from '@/components/ui/button.tsx'
import { FollowingContext, useFollowing } from './following-context.ts'
import { PersonCommands } from './person-commands.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import { followingStrings } from '@/lib/strings/following.ts'

/** Says whom this window follows. It is a line of the header: over the text, it would cover what they look at. */
export function FollowBanner({ opened }: { opened: OpenDocument }) {
  const following = useContext(FollowingContext)?.following
  const { followed } = useFollowing()
  useEffect(() => {
    if (!following || followed === null) return
    const onKeyDown = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented) following.follow(null)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [following, followed])
  const people = usePeople(opened)
  return (
    <output aria-label={followingStrings.banner.label}>
      <PersonCommands people={people} />
      {followed !== null && following && (
        <FollowedPerson people={people} person={followed} onStop={() => following.follow(null)} />
      )}
    </output>
  )
}

interface FollowedPersonProps {
  readonly people: readonly Person[]
  readonly person: string
  readonly onStop: () => void
}

function FollowedPerson({ people, person, onStop }: FollowedPersonProps) {
  const { name, colour } = people.find(({ id }) => id === person) ?? {
    name: followingStrings.banner.away,
    colour: defaultColourOf(person),
  }
  return (
    <div
      data-screen-only
      className="flex items-center justify-center gap-2.5 border-t-2 px-3 py-1 text-sm"
      style={{ borderColor: colour }}
    >
      <span className="min-w-0 truncate">
        <Sentence
          parts={followingStrings.banner.following(<strong className="font-medium">{name}</strong>)}
        />
      </span>
      <Button shape="small" onClick={onStop}>
        {followingStrings.banner.stop}
      </Button>
    </div>
  )
}
