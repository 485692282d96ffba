'use client'

import { useMemo } from 'react'
import { useOwnProfile } from '@/components/documents/document-queries'
import type { ColourName } from '@/lib/protocol/palette.ts'
import { strings as nameStrings } from '@/lib/strings/names.ts'

/** What a window tells the others of itself, before it knows of them. */
export interface OwnPresenceUser {
  readonly id: string
  readonly name: string
  /** The one they have chosen; null where they have not. */
  readonly colour: ColourName | null
}

/** The id of whom the server could not be asked about. */
export const unknownUserId = 'guest'

/** Null until the server told who this is; a guest without a name when it would not. */
export function useOwnPresenceUser(): OwnPresenceUser | null {
  const { data, isError } = useOwnProfile()
  const me = data ?? (isError ? { id: unknownUserId, name: nameStrings.guest, colour: null } : null)
  const { id, name, colour } = me ?? { id: '', name: '', colour: null }
  return useMemo(() => (id === '' ? null : { id, name, colour }), [id, name, colour])
}
