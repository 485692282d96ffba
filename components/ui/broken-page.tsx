'use client'

import type { ReactNode } from 'react'
import { Button } from './button'
import { Face } from './face'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/pages.ts'

interface BrokenPageProps {
  readonly error: unknown
  readonly onRetry: () => void
  readonly children: ReactNode
}

export function BrokenPage({ error, onRetry, children }: BrokenPageProps) {
  const again = (
    <Button look="primary" onClick={onRetry}>
      {common.tryAgain}
    </Button>
  )
  return (
    <Face title={strings.broken.title} actions={again}>
      <p>{children}</p>
      {error instanceof Error && <p className="mt-3 font-mono text-xs break-words">{error.message}</p>}
    </Face>
  )
}
