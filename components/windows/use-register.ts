'use client'

import { useMemo, useSyncExternalStore } from 'react'
import type { OwnWindowEntry } from '@/lib/windows/register.ts'
import { ownPage } from './own-page'
import { windowName, windowNames } from './words'

const none: readonly OwnWindowEntry[] = []
const subscribe = (listener: () => void) => ownPage().register.subscribe(listener)
const get = () => ownPage().register.get()

/** All windows of this person, this one first. */
export const useRegister = (): readonly OwnWindowEntry[] => useSyncExternalStore(subscribe, get, () => none)

/** They have no other window. */
export const useIsAlone = (): boolean => useRegister().every(({ self }) => self)

/** What each is called among all of them. */
export function useWindowNames(): (entry: OwnWindowEntry) => string {
  const entries = useRegister()
  return useMemo(() => {
    const names = windowNames(entries)
    return (entry) => names.get(entry.id) ?? windowName(entry)
  }, [entries])
}
