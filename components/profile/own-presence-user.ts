'use client'

import { useMemo } from 'react'
import { useOwnProfile } from './own-profile.ts'
import type { ColourName } from '@/lib/protocol/palette.ts'
import { namesStrings } from '@/lib/strings/names.ts'

/** What a window publishes about its person before it knows who else is here. */
export interface OwnPresenceUser {
  readonly id: string
  readonly name: string
  /** The colour they have chosen; null if none. */
  readonly colour: ColourName | null
}

/** The id of a person whom the server could not name. */
export const unknownUserId = 'guest'

/** Null until the server said who this is; a guest without a name if it did not answer. */
export function useOwnPresenceUser(): OwnPresenceUser | null {
  const { profile, state } = useOwnProfile()
  const me =
    profile ?? (state === 'failed' ? { id: unknownUserId, name: namesStrings.guest, colour: null } : null)
  const { id, name, colour } = me ?? { id: '', name: '', colour: null }
  return useMemo(() => (id === '' ? null : { id, name, colour }), [id, name, colour])
}
