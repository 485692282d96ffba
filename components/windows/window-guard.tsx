'use client'

import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Face } from '@/components/ui/face'
import { usePageState, type Left } from './own-page'

const words: Record<Left, { title: string; text: string }> = {
  replaced: {
    title: 'This is now in another window',
    text: 'It was opened anew there, and this page follows it no longer. You can close this tab.',
  },
  closed: {
    title: 'This window was closed from another one',
    text: 'A browser leaves it to you to close a tab that you have opened yourself.',
  },
}

/** Shows what the window is for, until another window has taken that over. */
export function WindowGuard({ children }: { children: ReactNode }) {
  const left = usePageState((state) => state.left)
  if (!left) return children
  const { title, text } = words[left]
  const again = (
    <Button look="primary" onClick={() => location.reload()}>
      Open it here again
    </Button>
  )
  return (
    <Face title={title} actions={again}>
      {text}
    </Face>
  )
}
