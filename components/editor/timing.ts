'use client'

import { useEffect, useState } from 'react'

/** How long a link may be gone before anybody is told, in ms: most breaks mend sooner. */
export const GRACE_MS = 2000

/** True once `condition` has held for `ms` without a break. A new `since` starts the count again. */
export function useLasting(condition: boolean, ms: number, since?: unknown): boolean {
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (!condition) return
    const timer = setTimeout(() => setLasting(true), ms)
    return () => {
      clearTimeout(timer)
      setLasting(false)
    }
  }, [condition, ms, since])
  return condition && lasting
}
