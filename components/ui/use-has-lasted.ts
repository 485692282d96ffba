'use client'

import { useEffect, useState } from 'react'

/** The grace period in ms: how long a link may be gone before the window says so. Most interruptions end sooner. */
export const LINK_GRACE_MS = 2000

/** True once `condition` has held for `ms` without interruption. A new `since` restarts the count. */
export function useHasLasted(condition: boolean, ms: number, since?: unknown): boolean {
  const [hasLasted, setHasLasted] = useState(false)
  useEffect(() => {
    if (!condition) return
    const timer = setTimeout(() => setHasLasted(true), ms)
    return () => {
      clearTimeout(timer)
      setHasLasted(false)
    }
  }, [condition, ms, since])
  return condition && hasLasted
}
