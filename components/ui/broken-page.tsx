'use client'

import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { MessagePage } from './message-page.tsx'
import { commonStrings } from '@/lib/strings/common.ts'
import { pagesStrings } from '@/lib/strings/pages.ts'

interface BrokenPageProps {
  readonly error: unknown
  readonly children: ReactNode
}

/** Reloads to try again: React remembers that a page's code did not load. */
export function BrokenPage({ error, children }: BrokenPageProps) {
  const retryButton = (
    <Button look="primary" onClick={() => location.reload()}>
      {commonStrings.tryAgain}
    </Button>
  )
  return (
    <MessagePage title={pagesStrings.broken.title} actions={retryButton}>
      <p>{children}</p>
      {error instanceof Error && <p className="mt-3 font-mono text-xs break-words">{error.message}</p>}
    </MessagePage>
  )
}
