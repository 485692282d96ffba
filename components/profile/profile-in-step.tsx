'use client'

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { OpenDocument, OpenPart } from '@/lib/client.ts'
import { palette } from '@/lib/protocol/palette.ts'
import type { Profile } from '@/components/api'
import { ME_KEY, rememberedMe } from '@/components/documents/me'
import { meKey } from '@/components/documents/queries'

/** What another window of this browser heard of its person holds here, too. Once a page. */
export function ProfileInStep() {
  const client = useQueryClient()
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      const me = key === ME_KEY ? rememberedMe() : undefined
      const known = client.getQueryData<Profile>(meKey)
      if (me && me.id === known?.id) client.setQueryData(meKey, me)
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [client])
  return null
}

/** Asks the server who this is when a window on another device is called otherwise: the server stamps each on their desk. Returns its undo. */
export function followDesk({ awareness }: Pick<OpenPart, 'awareness'>, client: QueryClient): () => void {
  const onChange = () => {
    const me = client.getQueryData<Profile>(meKey)
    const others = [...awareness.getStates()].filter(([window]) => window !== awareness.clientID)
    if (me && others.some(([, { user }]) => isOtherwise(me, user)))
      void client.invalidateQueries({ queryKey: meKey })
  }
  awareness.on('change', onChange)
  return () => awareness.off('change', onChange)
}

/** A window names no colour there but where its person has just chosen one. */
function isOtherwise({ name, colour }: Profile, user: unknown): boolean {
  const told = (user ?? {}) as { readonly name?: unknown; readonly color?: unknown }
  const isRenamed = typeof told.name === 'string' && told.name !== name
  return isRenamed || (told.color !== undefined && told.color !== (colour && palette[colour]))
}

/** While a document is open, so is its reader's desk. */
export function useProfileOfDesk({ desk }: Pick<OpenDocument, 'desk'>): void {
  const client = useQueryClient()
  useEffect(() => (desk ? followDesk(desk, client) : undefined), [desk, client])
}
