'use client'

import dynamic from 'next/dynamic'
import { OpeningView } from '@/components/opening/opening-view.tsx'
import { panelIds } from '@/lib/windows/panels.ts'
import { panels } from '@/components/panels/panel-registry.ts'

const load = () => {
  // Loads the panel's own code at the same time instead of afterwards. The address says which panel it is, also on the page cached for all
  // panels.
  const id = panelIds.find((candidate) => location.pathname.endsWith(`/p/${candidate}`))
  if (id) panels[id].load().catch(() => undefined) // requested again when it is shown
  return import('./panel-page.tsx')
}

/** Runs only in the browser, and needs nothing of the editor. */
export const PanelLoader = dynamic(load, { ssr: false, loading: () => <OpeningView /> })
