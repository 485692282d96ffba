'use client'

import { useContext } from 'react'
import { createHelpOnlyCommand } from '@/components/commands/command-registry.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import type { Person } from '@/components/profile/people.ts'
import { caretOf } from './caret-of.ts'
import { FollowingContext, useFollowing, useGoTo } from './following-context.ts'
import { followingStrings } from '@/lib/strings/following.ts'

/** Lists the key that stops following; the banner handles it. */
const stopKey = createHelpOnlyCommand({
  id: 'follow.stop',
  ...followingStrings.commands.stop,
  section: 'Go to',
  keys: 'Escape',
})

/** Commands to go to or follow each of the others by keyboard. */
export function PersonCommands({ people }: { people: readonly Person[] }) {
  const context = useContext(FollowingContext)
  const { followed } = useFollowing()
  const goTo = useGoTo()
  const follow = (person: string | null) => context?.load().then((following) => following?.follow(person))
  const commandsFor = ({ id, name, hasCaret }: Person) => [
    {
      id: `go-to-person-${id}`,
      title: followingStrings.commands.goToPerson.title(name),
      section: 'Go to' as const,
      words: followingStrings.commands.goToPerson.words,
      when: () => hasCaret,
      run() {
        const caret = context && caretOf(context.awareness, id)
        if (caret) goTo(caret, { within: true })
      },
    },
    {
      id: `follow-person-${id}`,
      title:
        followed === id
          ? followingStrings.commands.stopFollowingPerson(name)
          : followingStrings.commands.followPerson(name),
      section: 'Go to' as const,
      run: () => void follow(followed === id ? null : id),
    },
  ]
  useCommands([stopKey, ...people.filter(({ self }) => !self).flatMap(commandsFor)])
  return null
}
