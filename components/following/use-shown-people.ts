'use client'

import { useQuery } from '@tanstack/react-query'
import { useContext, useMemo, useSyncExternalStore } from 'react'
import { isLinkCaller, shownName } from '@/lib/protocol/link-caller.ts'
import { palette } from '@/lib/protocol/palette.ts'
import type { NamedPerson } from '@/components/http-api.ts'
import { queryClient } from '@/components/query-client.ts'
import { defaultColourOf } from '@/components/profile/person-colours.ts'
import { personAppearancesOf, type PersonAppearance } from '@/components/profile/person-appearances.ts'
import { FollowingContext } from './following-context.ts'
import { writersQuery } from '@/components/profile/writers-query.ts'

const subscribeToNothing = () => () => {}
const nobody: ReadonlyMap<string, PersonAppearance> = new Map()
const getNobody = () => nobody

/**
 * How to name the author of something: as their windows publish it, else as the server knows them now, else as they signed. Programs that
 * came by a link have no name but their signature.
 */
export function useShownPeople(): (writer: NamedPerson) => PersonAppearance {
  const context = useContext(FollowingContext)
  const people = context && personAppearancesOf(context.awareness)
  const get = people?.get ?? getNobody
  const present = useSyncExternalStore(people?.subscribe ?? subscribeToNothing, get, get)
  const { data: writers } = useQuery(
    { ...writersQuery(context?.document ?? ''), enabled: context !== null },
    queryClient,
  )
  return useMemo(() => {
    const writersById = new Map(writers?.map((writer) => [writer.id, writer]))
    return ({ id, name }: NamedPerson): PersonAppearance => {
      const writer = writersById.get(id)
      const colour =
        present.get(id)?.colour ?? (writer?.colour ? palette[writer.colour] : defaultColourOf(id))
      const current = isLinkCaller(id) ? undefined : (present.get(id)?.name ?? writer?.name)
      return { name: current ?? shownName({ id, name }), colour }
    }
  }, [present, writers])
}
