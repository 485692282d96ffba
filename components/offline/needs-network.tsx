'use client'

import { useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { Face } from '@/components/ui/face'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/pages.ts'

const never = () => () => {}

/** The address is the one that was asked for, not this page's own. */
export function NeedsNetwork() {
  const isNew = useSyncExternalStore(
    never,
    () => location.pathname === '/new',
    () => false,
  )
  const again = (
    <Button look="primary" onClick={() => location.reload()}>
      {common.tryAgain}
    </Button>
  )
  return (
    <Face title={isNew ? strings.offline.newTitle : strings.offline.title} actions={again}>
      {isNew ? strings.offline.newHint : strings.offline.hint}
    </Face>
  )
}
