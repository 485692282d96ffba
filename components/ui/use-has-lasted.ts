'use client'

import { useEffect, useState } from 'react'

/** The grace period in ms: how long a link may be gone before the window says so. Most interruptions end sooner. */
const LINK_GRACE_MS = 2000

/** True once `condition` has held for so long without interruption. */
export function useHasLasted(condition: boolean): boolean {
  const [hasLasted, setHasLasted] = useState(false)
  useEffect(() => {
    if (!condition) return
    const timer = setTimeout(() => setHasLasted(true), LINK_GRACE_MS)
    return () => {
      clearTimeout(timer)
      setHasLasted(false)
    }
  }, [condition])
  return condition && hasLasted
}
