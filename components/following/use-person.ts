'use client'

import { useContext } from 'react'
import { FollowingContext, useFollowing, useGoTo } from './context'
import { caretOf } from './caret-of'

/** What can be done about another person in this window. */
export function usePerson(person: string) {
  const here = useContext(FollowingContext)
  const { followed } = useFollowing()
  const goTo = useGoTo()
  const isFollowed = followed === person
  return {
    isFollowed,
    toggleFollow: () => here?.following.follow(isFollowed ? null : person),
    goToCaret() {
      const spot = here && caretOf(here.awareness, person)
      if (spot) goTo(spot, { within: true })
    },
  }
}
