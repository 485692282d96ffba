'use client'

import { useContext } from 'react'
import { toldKeys } from '@/components/commands/registry'
import { useCommands } from '@/components/commands/use-commands'
import type { Person } from '@/components/editor/people'
import { caretOf } from './caret-of'
import { FollowingContext, useFollowing, useGoTo } from './context'

/** The banner listens to it. */
const stopKey = toldKeys({
  id: 'follow.stop',
  title: 'Stop following',
  section: 'Go to',
  keys: 'Esc',
  where: 'while following somebody',
})

/** To each of the others, by keyboard. */
export function PersonCommands({ people }: { people: readonly Person[] }) {
  const here = useContext(FollowingContext)
  const { followed } = useFollowing()
  const goTo = useGoTo()
  const follow = (person: string | null) => here?.following.follow(person)
  const commandsFor = ({ id, name, hasCaret }: Person) => [
    {
      id: `go-to-person-${id}`,
      title: `Go to ${name}`,
      section: 'Go to' as const,
      words: 'caret cursor person',
      when: () => hasCaret,
      run() {
        const spot = here && caretOf(here.awareness, id)
        if (spot) goTo(spot, { within: true })
      },
    },
    {
      id: `follow-person-${id}`,
      title: followed === id ? `Stop following ${name}` : `Follow ${name}`,
      section: 'Go to' as const,
      run: () => follow(followed === id ? null : id),
    },
  ]
  useCommands([stopKey, ...people.filter(({ self }) => !self).flatMap(commandsFor)])
  return null
}
