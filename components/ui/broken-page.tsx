'use client'

import type { ReactNode } from 'react'
import { Button } from './button'
import { Face } from './face'

interface BrokenPageProps {
  readonly error: unknown
  readonly onRetry: () => void
  readonly children: ReactNode
}

export function BrokenPage({ error, onRetry, children }: BrokenPageProps) {
  const again = (
    <Button look="primary" onClick={onRetry}>
      Try again
    </Button>
  )
  return (
    <Face title="Something broke on this page" actions={again}>
      <p>{children}</p>
      {error instanceof Error && <p className="mt-3 font-mono text-xs break-words">{error.message}</p>}
    </Face>
  )
}
