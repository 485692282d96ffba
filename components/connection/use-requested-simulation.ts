'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { ownPage } from '@/components/windows/own-page'

/** Another window of this person has this one try another network: its inspector shows how it went. */
export function useRequestedSimulation(opened: OpenDocument): void {
  useEffect(
    () =>
      ownPage().registry.onRequest((request) => {
        if (request.type === 'cut') opened.cutLink()
        if (request.type === 'simulate') void opened.simulate(request.conditions).catch(() => {})
      }),
    [opened],
  )
}
