'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { ownPage } from '@/components/windows/own-page'
import { useConnectionUi } from './choice'
import { switcher } from './switcher'

/** Another window of this person chooses how this one is connected: for this window alone, as if it had been chosen here. */
export function useAskedTransport(opened: OpenDocument): void {
  useEffect(() => {
    const run = switcher(opened, () => {}) // how it went is in the status, which the asking window shows
    return ownPage().registry.onRequest((what) => {
      if (what.type !== 'transport') return
      useConnectionUi.getState().setOnlyHere(true)
      void run(what.choice, true)
    })
  }, [opened])
}
