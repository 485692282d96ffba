'use client'

import { useContext, useSyncExternalStore } from 'react'
import { colourOf, colourStoreOf } from '@/components/editor/colour'
import { FollowingContext } from './context'

const never = () => () => {}

/** In which colour a person is shown in this window, whether or not they are here. */
export function useColour(person: string): string {
  const awareness = useContext(FollowingContext)?.awareness
  const store = awareness && colourStoreOf(awareness)
  const get = () => store?.get(person) ?? colourOf(person)
  return useSyncExternalStore(store?.subscribe ?? never, get, get)
}
