'use client'

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { OpenDocument, OpenPart } from '@/lib/client.ts'
import { palette } from '@/lib/protocol/palette.ts'
import type { Profile } from '@/components/http-api.ts'
import { PROFILE_KEY, rememberedProfile } from '@/components/documents/remembered-profile.ts'
import { profileKey } from '@/components/documents/document-queries.ts'

/** Applies what another window of this browser learned about its person. A page renders it once. */
export function ProfileSync() {
  const client = useQueryClient()
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      const remembered = key === PROFILE_KEY ? rememberedProfile() : undefined
      const cached = client.getQueryData<Profile>(profileKey)
      if (remembered && remembered.id === cached?.id) client.setQueryData(profileKey, remembered)
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [client])
  return null
}

/**
 * Asks the server for the profile when a window on another device has another name: the server writes the name on each window's desk
 * presence. Returns a function that stops it.
 */
export function refetchWhenDeskDiffers(
  { awareness }: Pick<OpenPart, 'awareness'>,
  client: QueryClient,
): () => void {
  const onChange = () => {
    const me = client.getQueryData<Profile>(profileKey)
    const otherStates = [...awareness.getStates()].filter(([window]) => window !== awareness.clientID)
    if (me && otherStates.some(([, { user }]) => isDifferentProfile(me, user)))
      void client.invalidateQueries({ queryKey: profileKey })
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
  const client = useQueryClient()
  useEffect(() => (desk ? refetchWhenDeskDiffers(desk, client) : undefined), [desk, client])
}
