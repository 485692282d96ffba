'use client'

import { useSyncExternalStore } from 'react'
import { ownPage } from '@/components/windows/own-page.ts'
import { windowName, distinctWindowNames } from '@/components/windows/window-text.ts'

const subscribe = (listener: () => void) => ownPage().registry.subscribe(listener)

/** " (2)" for the second window of the same name, as in every list of windows; '' for the first, and for other people's. */
export function windowNumber(id: string): string {
  const entries = ownPage().registry.get()
  const entry = entries.find((one) => one.id === id)
  return entry ? distinctWindowNames(entries).get(id)!.slice(windowName(entry).length) : ''
}

export const useWindowNumber = (id: string): string =>
  useSyncExternalStore(
    subscribe,
    () => windowNumber(id),
    () => '',
  )
