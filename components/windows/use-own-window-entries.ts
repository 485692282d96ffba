'use client'

import { useMemo, useSyncExternalStore } from 'react'
import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import { ownPage } from './own-page.ts'
import { windowName, distinctWindowNames } from './window-text.ts'

const noEntries: readonly OwnWindowEntry[] = []
const subscribe = (listener: () => void) => ownPage().registry.subscribe(listener)
const get = () => ownPage().registry.get()

/** All windows of this person, this one first. */
export const useOwnWindowEntries = (): readonly OwnWindowEntry[] =>
  useSyncExternalStore(subscribe, get, () => noEntries)

/** Whether the person has no other window. */
export const useIsOnlyWindow = (): boolean => useOwnWindowEntries().every(({ self }) => self)

/** The name of each window among all of them. */
export function useWindowNames(): (entry: OwnWindowEntry) => string {
  const entries = useOwnWindowEntries()
  return useMemo(() => {
    const names = distinctWindowNames(entries)
    return (entry) => names.get(entry.id) ?? windowName(entry)
  }, [entries])
}
