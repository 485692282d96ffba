'use client'

import { useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { Face } from '@/components/ui/face'

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
      Try again
    </Button>
  )
  return (
    <Face title={isNew ? 'A new document needs the network' : 'This page needs the network'} actions={again}>
      The server cannot be reached{isNew && ', and it is the server that makes documents'}. Those you have
      opened in this browser before are on this device: you can read them and go on writing.
    </Face>
  )
}
