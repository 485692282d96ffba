import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { MessagePage } from '@/components/ui/message-page.tsx'
import { openingStrings } from '@/lib/strings/opening.ts'

/** The page of a document that could not be opened this time. */
export function NotOpened({ children }: { children: ReactNode }) {
  const reloadButton = (
    <Button look="primary" onClick={() => location.reload()}>
      {openingStrings.refused.reload}
    </Button>
  )
  return (
    <MessagePage title={openingStrings.refused.title} actions={reloadButton}>
      {children}
    </MessagePage>
  )
}
