'use client'

import { useState } from 'react'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/api'

/** The role of the latest sync, or of an earlier visit: undefined until there is text. */
export function useLastRole({ document }: StableSyncStatus): Role | undefined {
  const [last, setLast] = useState<Role>()
  const now = 'role' in document ? document.role : last
  if (now !== last) setLast(now)
  return now
}
