'use client'

import { useContext } from 'react'
import { FollowingContext, useFollowing, useGoTo } from './following-context.ts'
import { caretOf } from './caret-of.ts'

/** The actions for another person in this window. */
export function usePersonActions(person: string) {
  const context = useContext(FollowingContext)
  const { followed } = useFollowing()
  const goTo = useGoTo()
  const isFollowed = followed === person
  return {
    isFollowed,
    toggleFollow: () =>
      void context?.load().then((following) => following?.follow(isFollowed ? null : person)),
    goToCaret() {
      const caret = context && caretOf(context.awareness, person)
      if (caret) goTo(caret, { within: true })
    },
  }
}
