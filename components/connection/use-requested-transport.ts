'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { ownPage } from '@/components/windows/own-page'
import { useTransportScope } from './remembered-transport'
import { createTransportSwitcher } from './transport-switcher'

/** Another window of this person chooses how this one is connected: for this window alone, as if it had been chosen here. */
export function useRequestedTransport(opened: OpenDocument): void {
  useEffect(() => {
    const switchTransport = createTransportSwitcher(opened, () => {}) // how it went is in the status, which the asking window shows
    return ownPage().registry.onRequest((request) => {
      if (request.type !== 'transport') return
      useTransportScope.getState().setThisWindowOnly(true)
      void switchTransport(request.choice, true)
    })
  }, [opened])
}
