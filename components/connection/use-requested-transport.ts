'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { ownPage } from '@/components/windows/own-page.ts'
import { useTransportScope } from './remembered-transport.ts'
import { createTransportSwitcher } from './transport-switcher.ts'

/** Lets another window of this person choose the transport of this one, as if it had been chosen here for this window alone. */
export function useRequestedTransport(opened: OpenDocument): void {
  useEffect(() => {
    const switchTransport = createTransportSwitcher(opened, () => {}) // the status shows the result to the requesting window
    return ownPage().registry.onRequest((request) => {
      if (request.type !== 'transport') return
      useTransportScope.getState().setThisWindowOnly(true)
      void switchTransport(request.choice, true)
    })
  }, [opened])
}
