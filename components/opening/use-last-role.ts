'use client'

import { useState } from 'react'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/http-api.ts'

/** The role at the latest sync or on an earlier visit: undefined until there is text. */
export function useLastRole({ document }: StableSyncStatus): Role | undefined {
  const [lastRole, setLastRole] = useState<Role>()
  const currentRole = 'role' in document ? document.role : lastRole
  if (currentRole !== lastRole) setLastRole(currentRole)
  return currentRole
}
