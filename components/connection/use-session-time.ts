'use client'

import { useEffect, useState } from 'react'

/** The session's clock, read once a second, for relative times. */
export function useSessionTime(): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
