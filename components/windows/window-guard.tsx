'use client'

import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { MessagePage } from '@/components/ui/message-page.tsx'
import { usePageState } from './own-page.ts'
import { windowsStrings } from '@/lib/strings/windows.ts'

/** Shows the window's content until another window has taken over its slot. */
export function WindowGuard({ children }: { children: ReactNode }) {
  const closeReason = usePageState((state) => state.closeReason)
  if (!closeReason) return children
  const { title, hint } = windowsStrings.gone[closeReason]
  const reopenButton = (
    <Button look="primary" onClick={() => location.reload()}>
      {windowsStrings.gone.openAgain}
    </Button>
  )
  return (
    <MessagePage title={title} actions={reopenButton}>
      {hint}
    </MessagePage>
  )
}
