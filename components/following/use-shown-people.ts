'use client'

import { useQuery } from '@tanstack/react-query'
import { useContext, useMemo, useSyncExternalStore } from 'react'
import { isLinkCaller, shownName } from '@/lib/protocol/link-caller.ts'
import { palette } from '@/lib/protocol/palette.ts'
import { api, type Me } from '@/components/api'
import { colourOf } from '@/components/editor/colour'
import { presentPeople, type ShownPerson } from '@/components/editor/present-people'
import { FollowingContext } from './context'

/** ms. Who is away changes their name without telling this window. */
const LOOK_AGAIN_MS = 30_000

const never = () => () => {}
const nobody: ReadonlyMap<string, ShownPerson> = new Map()
const getNobody = () => nobody

/**
 * How to name whoever wrote something: as their windows here do, else as the server knows them now, else as they signed. Programs that
 * came by a link have no other name than the one they sign with.
 */
export function useShownPeople(): (writer: Me) => ShownPerson {
  const here = useContext(FollowingContext)
  const people = here && presentPeople(here.awareness)
  const get = people?.get ?? getNobody
  const present = useSyncExternalStore(people?.subscribe ?? never, get, get)
  const { data: writers } = useQuery({
    queryKey: ['people', here?.document],
    queryFn: () => api.people(here!.document),
    enabled: here !== null,
    refetchInterval: LOOK_AGAIN_MS,
  })
  return useMemo(() => {
    const known = new Map(writers?.map((writer) => [writer.id, writer]))
    return ({ id, name }: Me): ShownPerson => {
      const written = known.get(id)
      const colour = present.get(id)?.colour ?? (written?.colour ? palette[written.colour] : colourOf(id))
      const current = isLinkCaller(id) ? undefined : (present.get(id)?.name ?? written?.name)
      return { name: current ?? shownName({ id, name }), colour }
    }
  }, [present, writers])
}
