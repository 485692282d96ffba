'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { ownPage } from '@/components/windows/own-page'

/** Another window of this person has this one try another network: its inspector shows how it went. */
export function useAskedSimulation(opened: OpenDocument): void {
  useEffect(
    () =>
      ownPage().registry.onRequest((what) => {
        if (what.type === 'cut') opened.cutLink()
        if (what.type === 'simulate') void opened.simulate(what.conditions).catch(() => {})
      }),
    [opened],
  )
}
