'use client'

import { useEffect } from 'react'
import type { OpenDocument, OpenPart } from '@/lib/client.ts'
import { palette } from '@/lib/protocol/palette.ts'
import type { Profile } from '@/components/http-api.ts'
import {
  getOwnProfile,
  refetchOwnProfile,
  retryWhenVisible,
  shareProfileBetweenWindows,
} from './own-profile.ts'

/** Keeps the profile of this window's person up to date. A page renders it once. */
export function ProfileSync() {
  useEffect(shareProfileBetweenWindows, [])
  useEffect(retryWhenVisible, [])
  return null
}

/**
 * Asks the server for the profile when a window on another device has another name: the server writes the name on each window's desk
 * presence. Returns a function that stops it.
 */
export function refetchWhenDeskDiffers(
  { awareness }: Pick<OpenPart, 'awareness'>,
  refetch: () => Promise<void> = refetchOwnProfile,
): () => void {
  const onChange = () => {
    const { profile, state } = getOwnProfile()
    const otherStates = [...awareness.getStates()].filter(([window]) => window !== awareness.clientID)
    if (state !== 'known' || !profile) return
    if (otherStates.some(([, { user }]) => isDifferentProfile(profile, user))) void refetch()
  }
  awareness.on('change', onChange)
  return () => awareness.off('change', onChange)
}

/** A window publishes a colour there only if its person has just chosen one. */
function isDifferentProfile({ name, colour }: Profile, user: unknown): boolean {
  const shownUser = (user ?? {}) as { readonly name?: unknown; readonly color?: unknown }
  const isRenamed = typeof shownUser.name === 'string' && shownUser.name !== name
  return isRenamed || (shownUser.color !== undefined && shownUser.color !== (colour && palette[colour]))
}

/** While a document is open, so is its reader's desk. */
export function useDeskProfileSync({ desk }: Pick<OpenDocument, 'desk'>): void {
  useEffect(() => (desk ? refetchWhenDeskDiffers(desk) : undefined), [desk])
}
