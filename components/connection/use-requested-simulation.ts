'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { ownPage } from '@/components/windows/own-page.ts'

/** Lets another window of this person simulate a network in this one; that window's inspector shows the result. */
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
