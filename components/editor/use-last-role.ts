'use client'

import { useState } from 'react'
import type { SteadyStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/api'

/** The role of the latest sync: undefined until the text is here for the first time. */
export function useLastRole({ document }: SteadyStatus): Role | undefined {
  const [last, setLast] = useState<Role>()
  const now = document.state === 'synced' ? document.role : last
  if (now !== last) setLast(now)
  return now
}
