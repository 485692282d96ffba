'use client'

import { useCallback, useSyncExternalStore } from 'react'
import type * as Y from 'yjs'

/** For what is loaded only once there is something to show. */
export function useHasEntries(map: Y.Map<unknown> | undefined): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      map?.observe(listener)
      return () => map?.unobserve(listener)
    },
    [map],
  )
  const get = () => map !== undefined && map.size > 0
  return useSyncExternalStore(subscribe, get, get)
}
