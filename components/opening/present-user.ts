'use client'

import { useMemo } from 'react'
import { useMe } from '@/components/documents/queries'

/** What a window tells the others of itself, before it knows of them. */
export interface PresentUser {
  readonly id: string
  readonly name: string
}

/** The id of whom the server could not be asked about. */
export const unknownUser = 'guest'

/** Null until the server told who this is; a guest without a name when it would not. */
export function usePresentUser(): PresentUser | null {
  const { data, isError } = useMe()
  return useMemo(() => {
    const me = data ?? (isError ? { id: unknownUser, name: 'Guest' } : null)
    return me && { id: me.id, name: me.name }
  }, [data, isError])
}
