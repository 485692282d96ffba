'use client'

import { useEffect, useState } from 'react'

/** How long a link may be gone before anybody is told, in ms: most breaks mend sooner. */
export const LINK_GRACE_MS = 2000

/** True once `condition` has held for `ms` without a break. A new `since` starts the count again. */
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
