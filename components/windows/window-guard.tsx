'use client'

import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Face } from '@/components/ui/face'
import { usePageState } from './own-page'
import { strings } from '@/lib/strings/windows.ts'

/** Shows what the window is for, until another window has taken that over. */
export function WindowGuard({ children }: { children: ReactNode }) {
  const closeReason = usePageState((state) => state.closeReason)
  if (!closeReason) return children
  const { title, hint } = strings.gone[closeReason]
  const reopenButton = (
    <Button look="primary" onClick={() => location.reload()}>
      {strings.gone.openAgain}
    </Button>
  )
  return (
    <Face title={title} actions={reopenButton}>
      {hint}
    </Face>
  )
}
